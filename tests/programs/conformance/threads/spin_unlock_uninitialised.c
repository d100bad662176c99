/* pthread_spin_unlock: the lock was never initialised
 * --rounds 1
 */
#include <pthread.h>

pthread_spinlock_t lock;

int main(void)
{
#ifndef BUG
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
#endif
    pthread_spin_unlock(&lock); // FAIL
    return 0;
}
