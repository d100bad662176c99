/* pthread_spin_destroy: the lock has already been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_spinlock_t lock;

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_destroy(&lock);
#ifndef BUG
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
    pthread_spin_destroy(&lock); // FAIL
    return 0;
}
