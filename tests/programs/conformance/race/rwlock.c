/* two readers of a read-write lock, one of which writes
 * --race --rounds 7 */
#include "../two_threads.h"

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *one(void *arg)
{
    TWINS(pthread_rwlock_rdlock(&l), pthread_rwlock_wrlock(&l));
    x = 1; // RACE
    pthread_rwlock_unlock(&l);
    return 0;
}

void *two(void *arg)
{
    pthread_rwlock_rdlock(&l);
    int seen = x; // RACE
    (void)seen;
    pthread_rwlock_unlock(&l);
    return 0;
}
