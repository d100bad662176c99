/* pthread_mutex_setprioceiling, pthread_mutex_getprioceiling
 * --rounds 2
 *
 * The ceiling is changed under the lock. Who looks at it twice needs the lock too.
 */
#include <errno.h>
#include "../program.h"

pthread_mutex_t lock, plain = PTHREAD_MUTEX_INITIALIZER;

void *raise(void *unused)
{
    int old;
    assert(pthread_mutex_setprioceiling(&lock, 7, &old) == 0);
    assert(old == 5);
    return 0;
}

int main(void)
{
    int before, after;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attr, 5);
    pthread_mutex_init(&lock, &attr);
    assert(pthread_mutex_getprioceiling(&plain, &before) == EINVAL);
    assert(pthread_mutex_setprioceiling(&plain, 5, 0) == EINVAL);
    assert(pthread_mutex_setprioceiling(&lock, 0, 0) == EINVAL);
    assert(pthread_mutex_setprioceiling(&lock, 100, 0) == EINVAL);
    START(other, raise);
    REPAIRED(pthread_mutex_lock(&lock);)
    pthread_mutex_getprioceiling(&lock, &before);
    pthread_mutex_getprioceiling(&lock, &after);
    assert(before == after); // FAIL
    REPAIRED(pthread_mutex_unlock(&lock);)
    pthread_join(other, 0);
    pthread_mutex_getprioceiling(&lock, &after);
    assert(after == 7);
    return 0;
}
