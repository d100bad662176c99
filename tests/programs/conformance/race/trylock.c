/* the result of `pthread_mutex_trylock` is not looked at
 * --race --rounds 9
 */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *one(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1; // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

void *two(void *arg)
{
    int busy = pthread_mutex_trylock(&m);
#ifdef BUG
    x = 2; // RACE
#else
    if (!busy)
        x = 2;
#endif
    if (!busy)
        pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
