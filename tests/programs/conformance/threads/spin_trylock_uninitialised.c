/* pthread_spin_trylock: the lock was never initialised
 * --rounds 1
 */
#include <pthread.h>

pthread_spinlock_t lock;

int main(void)
{
#ifndef BUG
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
    pthread_spin_trylock(&lock); // FAIL
    return 0;
}
