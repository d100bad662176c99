/*
 * Savages eat from a pot, one at a time.  Who finds it empty wakes the cook, and
 * waits in front of the pot until it is full.
 *
 * The cook does not lock the pot: the savage who wakes him does not touch it.
 */
#include <pthread.h>
#include <semaphore.h>

#define PORTIONS 2

pthread_mutex_t pot = PTHREAD_MUTEX_INITIALIZER;
sem_t is_empty, is_full;
int portions;

void *savage(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&pot);
    if (portions == 0) {
        sem_post(&is_empty);
        sem_wait(&is_full);
    }
    portions--;
    pthread_mutex_unlock(&pot);
    return NULL;
}

void *cook(void *arg)
{
    (void)arg;
    sem_wait(&is_empty);
    portions = PORTIONS;
    sem_post(&is_full);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    sem_init(&is_empty, 0, 0);
    sem_init(&is_full, 0, 0);
    pthread_create(&t1, NULL, savage, NULL);
    pthread_create(&t2, NULL, savage, NULL);
    pthread_create(&t3, NULL, cook, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return portions;
}
