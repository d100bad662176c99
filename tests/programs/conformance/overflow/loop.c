/* a sum in a loop
 * --overflow --rounds 1 --unwind 5
 */
#include <pthread.h>

int sum;

void *work(void *arg)
{
#ifdef BUG
    for (int i = 0; i < 5; i++)
#else
    for (int i = 0; i < 4; i++)
#endif
        sum += 500000000; // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
