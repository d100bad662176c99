/* the wrong one of an array of locks
 * --race --rounds 7 */
#include "../two_threads.h"

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
    TWINS(int i = 0, int i = 1);
    pthread_mutex_lock(&locks[i]);
    x[1]--; // RACE
    pthread_mutex_unlock(&locks[i]);
    return 0;
}
