/*
 * A semaphore as a lock for the stock of a shop.
 *
 * It starts at 2, so that two threads are let in.
 *
 *   t1, t2: both have passed sem_wait and are about to store the stock
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t mutex;
static int stock = 5;

static void *sell(void *arg)
{
    int *wanted = arg;

    sem_wait(&mutex);
    stock -= *wanted; // RACE
    sem_post(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int one = 1, two = 2;

    sem_init(&mutex, 0, 2);
    pthread_create(&t1, NULL, sell, &one);
    pthread_create(&t2, NULL, sell, &two);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    sem_destroy(&mutex);
    return 0;
}
