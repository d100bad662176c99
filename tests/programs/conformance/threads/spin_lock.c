/* pthread_spin_lock, pthread_spin_unlock, pthread_spin_init, pthread_spin_destroy
 * --rounds 2 */
#include "../program.h"

pthread_spinlock_t lock;
int count;

void *add(void *unused)
{
    REPAIRED(pthread_spin_lock(&lock);)
    int old = count;
    count = old + 1;
    REPAIRED(pthread_spin_unlock(&lock);)
    return 0;
}

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    pthread_spin_destroy(&lock);
    return 0;
}
