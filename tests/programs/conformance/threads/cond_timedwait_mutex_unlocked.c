/* pthread_cond_timedwait: the calling thread does not own the mutex
 * --rounds 2
 */
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock;
pthread_cond_t ready;
struct timespec soon;

void *signals(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_mutex_init(&lock, 0);
    pthread_cond_init(&ready, 0);
    pthread_create(&other, 0, signals, 0);
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    pthread_cond_timedwait(&ready, &lock, &soon); // FAIL
    pthread_mutex_unlock(&lock);
    return 0;
}
