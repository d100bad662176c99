/* pthread_join: of a thread that never ends
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock); // DEADLOCK
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, 0, worker, 0);
    BUGGY(pthread_join(t, 0);) // DEADLOCK
    pthread_mutex_unlock(&lock);
    REPAIRED(pthread_join(t, 0);)
    return 0;
}
