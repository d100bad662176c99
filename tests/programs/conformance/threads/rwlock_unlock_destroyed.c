/* pthread_rwlock_unlock: the lock has been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_rwlock_t lock;

int main(void)
{
    pthread_rwlock_init(&lock, 0);
#ifdef BUG
    pthread_rwlock_destroy(&lock);
#else
    pthread_rwlock_rdlock(&lock);
#endif
    pthread_rwlock_unlock(&lock); // FAIL
    return 0;
}
