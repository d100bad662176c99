/* pthread_spin_trylock
 * --rounds 2 */
#include "../program.h"

pthread_spinlock_t lock;
int count;

void *add(void *unused)
{
    int busy = pthread_spin_trylock(&lock) != 0;
#ifndef BUG
    if (busy) {
        pthread_spin_lock(&lock);
        busy = 0;
    }
#endif
    int old = count;
    count = old + 1;
    if (!busy)
        pthread_spin_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}
