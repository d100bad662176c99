/* a spin lock around both accesses
 * --race --rounds 7 */
#include "../program.h"

pthread_spinlock_t l;
int x;

void *one(void *arg)
{
    pthread_spin_lock(&l);
    x = 1; // RACE
    pthread_spin_unlock(&l);
    return 0;
}

void *two(void *arg)
{
    REPAIRED(pthread_spin_lock(&l);)
    x = 2; // RACE
    REPAIRED(pthread_spin_unlock(&l);)
    return 0;
}

int main(void)
{
    pthread_spin_init(&l, 0);
    TWO_THREADS(one, two);
    return 0;
}
