/* pthread_mutexattr_setpshared, pthread_mutexattr_setprotocol, pthread_mutexattr_setprioceiling, pthread_mutexattr_setrobust with PTHREAD_MUTEX_STALLED
 * --rounds 2 */
#include "../program.h"

pthread_mutex_t lock;
int count;

void *add(void *unused)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    int old = count;
    count = old + 1;
    REPAIRED(pthread_mutex_unlock(&lock);)
    return 0;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attr, 7);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_STALLED);
    pthread_mutex_init(&lock, &attr);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}
