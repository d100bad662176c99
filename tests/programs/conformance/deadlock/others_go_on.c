/* a circle of two threads, while others go on and the process ends
 * --deadlock --rounds 2 */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int ticks;

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
#ifdef BUG
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // DEADLOCK
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
#else
    return there(arg);
#endif
    return 0;
}

void *clock_(void *arg)
{
    ticks++;
    return 0;
}

int main(void)
{
    pthread_t t, u, v;
    pthread_create(&t, 0, there, 0);
    pthread_create(&u, 0, back, 0);
    pthread_create(&v, 0, clock_, 0);
    pthread_join(v, 0);
    return 0;
}
