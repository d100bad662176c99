/*
 * Main starts a service, and waits until the service says that it has begun.
 *
 * It holds the lock of the settings the while, which the service reads before it
 * says so.
 *
 *   main: locks the settings, creates t1, waits | t1: waits for the settings
 */
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t settings = PTHREAD_MUTEX_INITIALIZER;
sem_t begun;
int level;
int used_level;

void *service(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&settings); // DEADLOCK
    used_level = level;
    pthread_mutex_unlock(&settings);
    sem_post(&begun);
    return NULL;
}

int main(void)
{
    pthread_t t1;

    sem_init(&begun, 0, 0);
    pthread_mutex_lock(&settings);
    level = 3;
    pthread_create(&t1, NULL, service, NULL);
    sem_wait(&begun); // DEADLOCK
    pthread_mutex_unlock(&settings);
    pthread_join(t1, NULL);
    return used_level != 3;
}
