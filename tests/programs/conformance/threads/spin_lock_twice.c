/* pthread_spin_lock: the calling thread already holds the lock
 * --rounds 1
 */
#include <pthread.h>

pthread_spinlock_t lock;

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
#ifndef BUG
    pthread_spin_unlock(&lock);
#endif
    pthread_spin_lock(&lock); // FAIL
    return 0;
}
