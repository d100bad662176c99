/* pthread_rwlock_timedrdlock: the lock has been destroyed
 * --rounds 1
 */
#include <pthread.h>
#include <time.h>

pthread_rwlock_t lock;
struct timespec soon;

int main(void)
{
    pthread_rwlock_init(&lock, 0);
#ifdef BUG
    pthread_rwlock_destroy(&lock);
#endif
    pthread_rwlock_timedrdlock(&lock, &soon); // FAIL
    return 0;
}
