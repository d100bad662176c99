/* pthread_cond_timedwait: does not wait for ever for a signal, but for its mutex
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;

void *waiter(void *arg)
{
    struct timespec soon = { 1, 0 };
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&never, &lock, &soon); // DEADLOCK
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    START(t, waiter);
    pthread_mutex_lock(&lock);
    REPAIRED(pthread_mutex_unlock(&lock);)
    pthread_join(t, 0); // DEADLOCK
    return 0;
}
