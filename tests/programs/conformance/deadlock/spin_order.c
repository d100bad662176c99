/* pthread_spin_lock: two spin locks in opposite orders
 * --deadlock --rounds 2
 */
#include <pthread.h>

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
#ifdef BUG
    pthread_spin_lock(&a); // DEADLOCK
    pthread_spin_unlock(&a);
#else
    if (pthread_spin_trylock(&a) == 0)
        pthread_spin_unlock(&a);
#endif
    pthread_spin_unlock(&b);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_spin_init(&a, 0);
    pthread_spin_init(&b, 0);
    pthread_create(&t, 0, there, 0);
    pthread_create(&u, 0, back, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
