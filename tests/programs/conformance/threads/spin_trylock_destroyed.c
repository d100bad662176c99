/* pthread_spin_trylock: the lock has been destroyed
 * --rounds 1
 */
#include <pthread.h>

pthread_spinlock_t lock;

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#ifdef BUG
    pthread_spin_destroy(&lock);
#endif
    pthread_spin_trylock(&lock); // FAIL
    return 0;
}
