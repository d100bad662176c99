/* `x += n` under a lock on one side only
 * --race --rounds 7 */
#include "../two_threads.h"

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
    REPAIRED(pthread_mutex_lock(&m);)
    x -= 1; // RACE
    REPAIRED(pthread_mutex_unlock(&m);)
    return 0;
}
