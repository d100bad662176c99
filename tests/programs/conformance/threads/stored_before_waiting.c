/* what a thread stores before it waits for ever for a mutex that no other thread knows
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    x = 1;
#ifndef BUG
    x = 0;
#endif
    pthread_mutex_lock(&own);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
#ifdef BUG
    assert(x != 1); // FAIL
#else
    assert(x != 2);
#endif
    return 0;
}
