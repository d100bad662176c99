/* pthread_spin_lock: two spin locks in opposite orders
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_spinlock_t a, b;

void *there(void *arg)
{
    pthread_spin_lock(&a);
    pthread_spin_lock(&b); // DEADLOCK
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
    return 0;
}

void *back(void *arg)
{
    pthread_spin_lock(&b);
    BUGGY(pthread_spin_lock(&a);) // DEADLOCK
    BUGGY(pthread_spin_unlock(&a);)
    REPAIRED(if (pthread_spin_trylock(&a) == 0) pthread_spin_unlock(&a);)
    pthread_spin_unlock(&b);
    return 0;
}

int main(void)
{
    pthread_spin_init(&a, 0);
    pthread_spin_init(&b, 0);
    TWO_THREADS(there, back);
    return 0;
}
