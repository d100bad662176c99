/* a condition variable says that a value is there
 * --race --rounds 10 --unwind 2 */
#include "../two_threads.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, x;

void *one(void *arg)
{
    x = 1; // RACE
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

void *two(void *arg)
{
    pthread_mutex_lock(&m);
    TWINS(if (ready == 2), while (!ready))
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    x = 2; // RACE
    return 0;
}
