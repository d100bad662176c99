/* Condition variables with more than 64 threads
 * --rounds 1 --unwind 65 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

void *wait_for_it(void *arg) // REFUSED: with more than 64 threads are not supported
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 65; i++)
        pthread_create(&t, NULL, wait_for_it, NULL);
    return 0;
}
