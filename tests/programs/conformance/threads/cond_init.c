/* pthread_cond_init, pthread_cond_destroy, pthread_condattr_init, pthread_condattr_setclock, pthread_condattr_getclock, pthread_condattr_setpshared, pthread_condattr_getpshared, pthread_condattr_destroy
 * --rounds 2 --unwind 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready;
int full;

void *put(void *unused)
{
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_condattr_t attr;
    clockid_t clock;
    int shared;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_condattr_getclock(&attr, &clock);
    assert(clock == CLOCK_MONOTONIC);
    pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_condattr_getpshared(&attr, &shared);
    assert(shared == PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&ready, &attr);
    pthread_condattr_destroy(&attr);
    pthread_create(&other, 0, put, 0);
    pthread_mutex_lock(&lock);
    REPAIRED(while (!full) pthread_cond_wait(&ready, &lock);)
    assert(full); // FAIL
    pthread_mutex_unlock(&lock);
    pthread_join(other, 0);
    pthread_cond_destroy(&ready);
    return 0;
}
