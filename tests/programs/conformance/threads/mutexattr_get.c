/* pthread_mutexattr_getpshared, pthread_mutexattr_getprotocol, pthread_mutexattr_getprioceiling, pthread_mutexattr_getrobust
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
    int value;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_getpshared(&attr, &value);
    assert(value == PTHREAD_PROCESS_PRIVATE);
    pthread_mutexattr_getprotocol(&attr, &value);
    assert(value == PTHREAD_PRIO_NONE);
    pthread_mutexattr_getrobust(&attr, &value);
    assert(value == PTHREAD_MUTEX_STALLED);
    pthread_mutexattr_getprioceiling(&attr, &value);
    assert(value >= 1);
    pthread_mutex_init(&lock, &attr);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}
