/* the result of `pthread_mutex_trylock` is not looked at
 * --race --rounds 9 */
#include "../two_threads.h"

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
    REPAIRED(if (!busy)) x = 2; // RACE
    if (!busy)
        pthread_mutex_unlock(&m);
    return 0;
}
