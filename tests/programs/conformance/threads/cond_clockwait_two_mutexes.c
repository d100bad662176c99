/* pthread_cond_clockwait: another thread waits with another mutex
 * --rounds 2
 */
#include <pthread.h>
#include <time.h>

pthread_mutex_t first, second;
pthread_cond_t ready;
struct timespec soon;
int waiting;

void *waits(void *unused)
{
    pthread_mutex_lock(&first);
    waiting = 1;
    pthread_cond_clockwait(&ready, &first, CLOCK_MONOTONIC, &soon);
    pthread_mutex_unlock(&first);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_mutex_init(&first, 0);
    pthread_mutex_init(&second, 0);
    pthread_cond_init(&ready, 0);
    pthread_create(&other, 0, waits, 0);
    pthread_mutex_lock(&first);
    if (waiting) {
        pthread_mutex_unlock(&first);
#ifndef BUG
        pthread_cond_signal(&ready);
        pthread_join(other, 0);
        pthread_create(&other, 0, waits, 0);
#endif
        pthread_mutex_lock(&second);
#ifdef BUG
        pthread_cond_clockwait(&ready, &second, CLOCK_MONOTONIC, &soon); // FAIL
#endif
    }
    return 0;
}
