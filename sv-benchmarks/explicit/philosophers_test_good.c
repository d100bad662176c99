/*
 * N dining philosophers who eat for ever, with the solution of Dijkstra and
 * Tanenbaum: a state for each, a mutex, and a semaphore to wait on.
 *
 * A hungry one eats if neither neighbour does; who has eaten tests both.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 4
#endif
#define LEFT(i) (((i) + N - 1) % N)
#define RIGHT(i) (((i) + 1) % N)

enum { THINKING, HUNGRY, EATING };

int state[N];
pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
sem_t may_eat[N];

void test(int i)
{
    if (state[i] == HUNGRY && state[LEFT(i)] != EATING && state[RIGHT(i)] != EATING) {
        state[i] = EATING;
        sem_post(&may_eat[i]);
    }
}

void *philosopher(void *arg)
{
    int me = (int)(long)arg;

    for (;;) {
        pthread_mutex_lock(&table);
        state[me] = HUNGRY;
        test(me);
        pthread_mutex_unlock(&table);

        sem_wait(&may_eat[me]);
        assert(state[LEFT(me)] != EATING);

        pthread_mutex_lock(&table);
        state[me] = THINKING;
        test(LEFT(me));
        test(RIGHT(me));
        pthread_mutex_unlock(&table);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int i = 0; i < N; i++)
        sem_init(&may_eat[i], 0, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
