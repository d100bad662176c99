/* pthread_spin_unlock: the lock has been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_spinlock_t lock;

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#ifdef BUG
    pthread_spin_destroy(&lock);
#else
    pthread_spin_lock(&lock);
#endif
    pthread_spin_unlock(&lock); // FAIL
    return 0;
}
