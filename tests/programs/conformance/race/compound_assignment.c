/* `x += n` under a lock on one side only
 * --race --rounds 7
 */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *one(void *arg)
{
    pthread_mutex_lock(&m);
    x += 2; // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

void *two(void *arg)
{
#ifndef BUG
    pthread_mutex_lock(&m);
#endif
    x -= 1; // RACE
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
