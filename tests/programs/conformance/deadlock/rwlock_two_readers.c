/* pthread_rwlock_rdlock: two may read; readers wait for a writer that waits for one of them
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

void *one(void *arg)
{
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_rdlock(&b); // DEADLOCK
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return 0;
}

void *other(void *arg)
{
    TWINS(pthread_rwlock_wrlock, pthread_rwlock_rdlock)(&b);
    TWINS(pthread_rwlock_wrlock, pthread_rwlock_rdlock)(&a); // DEADLOCK
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return 0;
}

int main(void)
{
    TWO_THREADS(one, other);
    return 0;
}
