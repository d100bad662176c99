/* two readers of a read-write lock, one of which writes
 * --race --rounds 7
 */
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *one(void *arg)
{
#ifdef BUG
    pthread_rwlock_rdlock(&l);
#else
    pthread_rwlock_wrlock(&l);
#endif
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

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
