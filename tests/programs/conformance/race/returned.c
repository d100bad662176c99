/* the value that is returned
 * --race --rounds 7
 */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, a[2];

int get(void)
{
    return x; // RACE
}

void *one(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1; // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

void *two(void *arg)
{
#ifndef BUG
    pthread_mutex_lock(&m);
#endif
    y = get();
#ifndef BUG
    pthread_mutex_unlock(&m);
#endif
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
