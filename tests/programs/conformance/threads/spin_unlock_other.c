/* pthread_spin_unlock: the calling thread does not hold the lock
 * --rounds 1 */
#include "../program.h"

pthread_spinlock_t lock;

void *locks(void *unused)
{
    pthread_spin_lock(&lock);
    REPAIRED(pthread_spin_unlock(&lock);)
    REPAIRED(pthread_spin_lock(&lock);)
    REPAIRED(pthread_spin_unlock(&lock);)
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&other, 0, locks, 0);
    pthread_join(other, 0);
    REPAIRED(pthread_spin_lock(&lock);)
    pthread_spin_unlock(&lock); // FAIL
    return 0;
}
