/*
 * Two stages of fifty threads each: the second one begins when all threads of
 * the first one have ended.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define WORKERS 50

int filled, taken;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *fill(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    filled++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *take(void *arg)
{
    int number;

    (void)arg;
    pthread_mutex_lock(&lock);
    number = taken;
    taken = number + 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, fill, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, take, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    assert(taken == filled);
    return 0;
}
