/* pthread_rwlock_unlock: the lock was never initialised
 * --rounds 1
 */
#include <pthread.h>

pthread_rwlock_t lock;

int main(void)
{
#ifndef BUG
    pthread_rwlock_init(&lock, 0);
    pthread_rwlock_rdlock(&lock);
#endif
    pthread_rwlock_unlock(&lock); // FAIL
    return 0;
}
