/* spurious wake-ups of pthread_cond_wait
 * --rounds 2 --unwind 2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
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
    pthread_create(&other, 0, put, 0);
    pthread_mutex_lock(&lock);
#ifdef BUG
    if (!full)
#else
    while (!full)
#endif
        pthread_cond_wait(&ready, &lock);
    assert(full); // FAIL
    pthread_mutex_unlock(&lock);
    return 0;
}
