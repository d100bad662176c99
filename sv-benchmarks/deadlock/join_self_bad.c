/*
 * A team of threads; the last one tidies up behind all of them.
 *
 * It is one of those that it joins.  POSIX leaves that undefined: the GNU C library
 * notices and returns EDEADLK, which is not looked at here; with others it waits
 * for itself for ever.
 *
 *   t1: ends | t2: joins t1, joins t2
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
        pthread_join(team[i], NULL); // DEADLOCK
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
    sem_wait(&tidied_up); // DEADLOCK
    return 0;
}
