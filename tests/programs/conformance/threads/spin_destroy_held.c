/* pthread_spin_destroy: the lock is held
 * --rounds 1 */
#include "../program.h"

pthread_spinlock_t lock;

void *locks(void *unused)
{
    pthread_spin_lock(&lock);
    REPAIRED(pthread_spin_unlock(&lock);)
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_spin_init(&lock, PTHREAD_PROCESS_SHARED);
    pthread_create(&other, 0, locks, 0);
    pthread_join(other, 0);
    pthread_spin_destroy(&lock); // FAIL
    return 0;
}
