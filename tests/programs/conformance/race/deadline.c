/* the time that `pthread_cond_timedwait` reads
 * --race --rounds 9 */
#include <time.h>
#include "../two_threads.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec when, other;

void *one(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &when); // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

void *two(void *arg)
{
    TWINS(when.tv_sec = 1, other.tv_sec = 1); // RACE
    return 0;
}
