/* two mutexes in opposite orders
 * --deadlock --rounds 2
 */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int transfers;

static void transfer(pthread_mutex_t *from, pthread_mutex_t *to)
{
    pthread_mutex_lock(from);
    pthread_mutex_lock(to); // DEADLOCK
    transfers++;
    pthread_mutex_unlock(to);
    pthread_mutex_unlock(from);
}

void *there(void *arg)
{
    transfer(&a, &b);
    return 0;
}

void *back(void *arg)
{
#ifdef BUG
    transfer(&b, &a);
#else
    transfer(&a, &b);
#endif
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
