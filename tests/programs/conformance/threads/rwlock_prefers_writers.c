/* read-write locks that prefer writers: pthread_rwlock_tryrdlock, pthread_rwlock_trywrlock, the static initialiser
 * --rounds 3
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include "../twins.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
int value;

void *writer(void *unused)
{
    TWINS(pthread_rwlock_rdlock(&lock), pthread_rwlock_wrlock(&lock));
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, writer, 0);
    if (pthread_rwlock_tryrdlock(&lock) == 0)
        pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(value == 2); // FAIL
    return 0;
}
