/* pthread_cancel of a thread in pthread_cond_wait: it has the mutex when its handlers run
 * --rounds 2 --unwind 1 */
#include "../program.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, waiting;

void unlock(void *arg)
{
    waiting--;
    REPAIRED(pthread_mutex_unlock(&m);)
}

void *work(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, 0);
    waiting++;
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && !waiting);
    assert(pthread_mutex_trylock(&m) == 0); // FAIL
    return 0;
}
