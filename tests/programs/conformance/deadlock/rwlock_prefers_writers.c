/* a reader behind a writer that waits: PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
 * --rounds 4 --deadlock
 */
#define _GNU_SOURCE
#include <pthread.h>
#include "../twins.h"

pthread_rwlock_t lock;
int value;

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int first = value;
    REPAIRED(pthread_rwlock_unlock(&lock);)
    pthread_rwlock_rdlock(&lock); // DEADLOCK
    int second = value;
    BUGGY(pthread_rwlock_unlock(&lock);)
    pthread_rwlock_unlock(&lock);
    return first < second ? &value : unused;
}

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock); // DEADLOCK
    value = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t reads, writes;
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attr);
    pthread_create(&reads, 0, reader, 0);
    pthread_create(&writes, 0, writer, 0);
    pthread_join(reads, 0); // DEADLOCK
    pthread_join(writes, 0);
    return 0;
}
