/* with --spurious-wakeups nobody waits for a signal for ever
 * --deadlock --spurious-wakeups --rounds 2
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;

void *waiter(void *arg)
{
    pthread_mutex_lock(&lock); // DEADLOCK
    pthread_cond_wait(&never, &lock); // DEADLOCK
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, waiter, 0);
    pthread_create(&u, 0, waiter, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
