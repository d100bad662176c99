/* a pointer that runs beyond the end of an array
 * --memsafety --rounds 1 --unwind 4
 */
#include <pthread.h>

int numbers[3], behind[3];

void *sum(void *arg)
{
    int *at = arg, sum = 0;
#ifdef BUG
    for (int i = 0; i <= 3; i++)
#else
    for (int i = 0; i < 3; i++)
#endif
        sum += *at++; // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, sum, numbers);
    pthread_join(thread, NULL);
    return behind[0];
}
