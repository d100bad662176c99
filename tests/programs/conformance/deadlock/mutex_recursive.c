/* a recursive mutex that is unlocked less often than locked
 * --deadlock --rounds 2
 */
#define _GNU_SOURCE
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock); // DEADLOCK
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
