/* pthread_rwlockattr_setkind_np, pthread_rwlockattr_getkind_np
 * --rounds 2 */
#include "../program.h"

pthread_rwlock_t lock;
int count;

void *add(void *unused)
{
    TWINS(pthread_rwlock_rdlock(&lock), pthread_rwlock_wrlock(&lock));
    count++;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_rwlockattr_t attr;
    int kind;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NP);
    pthread_rwlockattr_getkind_np(&attr, &kind);
    assert(kind == PTHREAD_RWLOCK_PREFER_WRITER_NP);
    pthread_rwlock_init(&lock, &attr);
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}
