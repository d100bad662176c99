/* a spin lock around both accesses
 * --race --rounds 7
 */
#include <pthread.h>
#include "../twins.h"

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
    pthread_t t1, t2;
    pthread_spin_init(&l, 0);
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
