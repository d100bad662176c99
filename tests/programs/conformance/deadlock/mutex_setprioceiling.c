/* pthread_mutex_setprioceiling of a mutex that is never unlocked
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock;

void *worker(void *unused)
{
    pthread_mutex_setprioceiling(&lock, 7, 0); // DEADLOCK
    return 0;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutex_init(&lock, &attr);
    START(other, worker);
    pthread_mutex_lock(&lock);
    REPAIRED(pthread_mutex_unlock(&lock);)
    pthread_join(other, 0); // DEADLOCK
    return 0;
}
