/* pthread_cond_wait: the condition variable has been destroyed
 * --rounds 2
 */
#include <pthread.h>

pthread_mutex_t lock;
pthread_cond_t ready;

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
#ifdef BUG
    pthread_cond_destroy(&ready);
#else
    pthread_create(&other, 0, signals, 0);
#endif
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&ready, &lock); // FAIL
    pthread_mutex_unlock(&lock);
    return 0;
}
