/* pthread_cond_wait: another thread waits with another mutex
 * --rounds 2
 */
#include <pthread.h>

pthread_mutex_t first, second;
pthread_cond_t ready;
int waiting;

void *waits(void *unused)
{
    pthread_mutex_lock(&first);
    waiting = 1;
    pthread_cond_wait(&ready, &first);
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
        pthread_cond_wait(&ready, &second); // FAIL
#endif
    }
    return 0;
}
