/* pthread_rwlock_unlock: the calling thread does not hold the lock
 * --rounds 2
 */
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
#ifndef BUG
    pthread_rwlock_unlock(&lock);
#endif
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, reader, 0);
    pthread_join(other, 0);
#ifndef BUG
    pthread_rwlock_rdlock(&lock);
#endif
    pthread_rwlock_unlock(&lock); // FAIL
    return 0;
}
