/* pthread_rwlock_destroy: the lock has already been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_rwlock_t lock;

int main(void)
{
    pthread_rwlock_init(&lock, 0);
    pthread_rwlock_destroy(&lock);
#ifndef BUG
    pthread_rwlock_init(&lock, 0);
#endif
    pthread_rwlock_destroy(&lock); // FAIL
    return 0;
}
