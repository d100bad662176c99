/* pthread_mutex_trylock: never blocks
 * --deadlock --rounds 2
 */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *there(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // DEADLOCK
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *back(void *arg)
{
    pthread_mutex_lock(&b);
#ifdef BUG
    pthread_mutex_lock(&a); // DEADLOCK
    pthread_mutex_unlock(&a);
#else
    if (pthread_mutex_trylock(&a) == 0)
        pthread_mutex_unlock(&a);
#endif
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, there, 0);
    pthread_create(&u, 0, back, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
