/*
 * Detached threads post a semaphore at their end.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;
static int results[2];

static void *work(void *arg)
{
    results[(long)arg] = 1;
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    sem_init(&done, 0, 0);
    for (long i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, work, (void *)i);
        pthread_detach(thread);
    }
    for (int i = 0; i < 2; i++)
        sem_wait(&done);
    return results[0] + results[1] != 2;
}
