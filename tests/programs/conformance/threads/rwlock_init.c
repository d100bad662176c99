/* pthread_rwlock_init, pthread_rwlock_destroy, pthread_rwlockattr_init, pthread_rwlockattr_setpshared, pthread_rwlockattr_getpshared, pthread_rwlockattr_destroy
 * --rounds 2 */
#include "../program.h"

pthread_rwlock_t lock, other_lock;
pthread_t first;
int count;

void *add(void *unused)
{
    pthread_rwlock_t *mine = &lock;
    BUGGY(if (pthread_equal(pthread_self(), first)) mine = &other_lock;)
    pthread_rwlock_wrlock(mine);
    int old = count;
    count = old + 1;
    pthread_rwlock_unlock(mine);
    return 0;
}

int main(void)
{
    first = pthread_self();
    pthread_rwlockattr_t attr;
    int shared;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_rwlockattr_getpshared(&attr, &shared);
    assert(shared == PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&lock, &attr);
    pthread_rwlock_init(&other_lock, 0);
    pthread_rwlockattr_destroy(&attr);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    pthread_rwlock_destroy(&lock);
    pthread_rwlock_destroy(&other_lock);
    return 0;
}
