/*
 * A team of threads; the last one tidies up behind all of them.
 *
 * It does not join itself.
 */
#include <pthread.h>
#include <semaphore.h>

#define TEAM 2

pthread_t team[TEAM];
sem_t all_created, tidied_up;

void *worker(void *arg)
{
    (void)arg;
    return NULL;
}

void *last_worker(void *arg)
{
    (void)arg;
    sem_wait(&all_created);
    for (int i = 0; i < TEAM; i++)
        if (!pthread_equal(team[i], pthread_self()))
            pthread_join(team[i], NULL);
    sem_post(&tidied_up);
    return NULL;
}

int main(void)
{
    sem_init(&all_created, 0, 0);
    sem_init(&tidied_up, 0, 0);
    pthread_create(&team[0], NULL, worker, NULL);
    pthread_create(&team[1], NULL, last_worker, NULL);
    sem_post(&all_created);
    sem_wait(&tidied_up);
    return 0;
}
