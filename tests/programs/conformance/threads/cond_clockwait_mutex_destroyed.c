/* pthread_cond_clockwait: the mutex has been destroyed
 * --rounds 2
 */
#include <pthread.h>
#include <time.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

pthread_mutex_t lock;
pthread_cond_t ready;
struct timespec soon;
int waiting;

void *waits(void *unused)
{
    pthread_mutex_lock(&lock);
    waiting = 1;
    pthread_cond_clockwait(&ready, &lock, CLOCK_MONOTONIC, &soon); // FAIL
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_mutex_init(&lock, 0);
    pthread_cond_init(&ready, 0);
    pthread_create(&other, 0, waits, 0);
    pthread_mutex_lock(&lock);
    if (waiting) {
        pthread_cond_signal(&ready);
#ifdef BUG
        __VERIFIER_atomic_begin();
        pthread_mutex_unlock(&lock);
        pthread_mutex_destroy(&lock);
        __VERIFIER_atomic_end();
#else
        pthread_mutex_unlock(&lock);
#endif
        pthread_join(other, 0);
    }
    return 0;
}
