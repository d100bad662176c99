/* the wrong one of an array of locks
 * --race --rounds 7
 */
#include <pthread.h>

pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x[2];

void *one(void *arg)
{
    pthread_mutex_lock(&locks[1]);
    x[1]++; // RACE
    pthread_mutex_unlock(&locks[1]);
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    int i = 0;
#else
    int i = 1;
#endif
    pthread_mutex_lock(&locks[i]);
    x[1]--; // RACE
    pthread_mutex_unlock(&locks[i]);
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
