/* pthread_rwlock_rdlock: the lock has been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_rwlock_t lock;

int main(void)
{
    pthread_rwlock_init(&lock, 0);
#ifdef BUG
    pthread_rwlock_destroy(&lock);
#endif
    pthread_rwlock_rdlock(&lock); // FAIL
    return 0;
}
