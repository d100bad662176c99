/* a variable-length array
 * --memsafety --rounds 1
 */
#include <pthread.h>

int length = 3;

void *fill(void *arg)
{
    int n = length;
    int numbers[n];
#ifdef BUG
    numbers[n] = 1; // FAIL
#else
    numbers[n - 1] = 1;
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
    return 0;
}
