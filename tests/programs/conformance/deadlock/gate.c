/* two mutexes in opposite orders, behind a third one
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    REPAIRED(pthread_mutex_lock(&gate);)
    pthread_mutex_lock(first);
    pthread_mutex_lock(second); // DEADLOCK
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    REPAIRED(pthread_mutex_unlock(&gate);)
}

void *worker(void *arg)
{
    both(&a, &b);
    return 0;
}

int main(void)
{
    START(t, worker);
    both(&b, &a);
    pthread_join(t, 0);
    return 0;
}
