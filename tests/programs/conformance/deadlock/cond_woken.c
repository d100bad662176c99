/* pthread_cond_wait: woken, but the mutex is never free again
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int waits;

void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    waits = 1;
    pthread_cond_wait(&ready, &lock); // DEADLOCK
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    START(t, waiter);
    pthread_mutex_lock(&lock);
    if (waits) {
        pthread_cond_signal(&ready);
        REPAIRED(pthread_mutex_unlock(&lock);)
        pthread_join(t, 0); // DEADLOCK
    }
    return 0;
}
