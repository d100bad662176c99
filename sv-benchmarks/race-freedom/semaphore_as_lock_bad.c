/*
 * A semaphore that is used as a lock.
 *
 * Wrong: two threads may enter.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#define N 3

static sem_t gate;
static int total;

static void *work(void *arg)
{
    sem_wait(&gate);
    total += (int)(long)arg;
    sem_post(&gate);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    sem_init(&gate, 0, 2);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
