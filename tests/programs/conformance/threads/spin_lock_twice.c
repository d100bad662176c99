/* pthread_spin_lock: the calling thread already holds the lock
 * --rounds 1 */
#include "../program.h"

pthread_spinlock_t lock;

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    REPAIRED(pthread_spin_unlock(&lock);)
    pthread_spin_lock(&lock); // FAIL
    return 0;
}
