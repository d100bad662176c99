/* pthread_rwlock_timedwrlock: the lock was never initialised
 * --rounds 1
 */
#include <pthread.h>
#include <time.h>

pthread_rwlock_t lock;
struct timespec soon;

int main(void)
{
#ifndef BUG
    pthread_rwlock_init(&lock, 0);
#endif
    pthread_rwlock_timedwrlock(&lock, &soon); // FAIL
    return 0;
}
