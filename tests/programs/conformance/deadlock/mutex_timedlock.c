/* pthread_mutex_timedlock: a call with a deadline does not block for ever
 * --deadlock --rounds 2
 */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *there(void *arg)
{
    struct timespec soon = { 1, 0 };
    pthread_mutex_lock(&a);
#ifdef BUG
    pthread_mutex_lock(&b); // DEADLOCK
    pthread_mutex_unlock(&b);
#else
    if (pthread_mutex_timedlock(&b, &soon) == 0)
        pthread_mutex_unlock(&b);
#endif
    pthread_mutex_unlock(&a);
    return 0;
}

void *back(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // DEADLOCK
    pthread_mutex_unlock(&a);
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
