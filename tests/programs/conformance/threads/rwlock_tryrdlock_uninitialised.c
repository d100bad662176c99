/* pthread_rwlock_tryrdlock: the lock was never initialised
 * --rounds 1
 */
#include <pthread.h>

pthread_rwlock_t lock;

int main(void)
{
#ifndef BUG
    pthread_rwlock_init(&lock, 0);
#endif
    pthread_rwlock_tryrdlock(&lock); // FAIL
    return 0;
}
