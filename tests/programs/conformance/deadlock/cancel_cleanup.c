/* pthread_cleanup_push: who is cancelled unlocks, or not
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;

void unlock(void *mutex)
{
    REPAIRED(pthread_mutex_unlock(mutex);)
}

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void)
{
    START(t, worker);
    pthread_cancel(t);
    pthread_join(t, 0);
    pthread_mutex_lock(&lock); // DEADLOCK
    return 0;
}
