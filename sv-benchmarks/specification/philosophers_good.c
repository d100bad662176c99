/*
 * N dining philosophers, as in Tanenbaum's "Modern Operating Systems": main and
 * N - 1 others eat and think for ever.
 *
 * There is a state for each philosopher, which only changes under a mutex, and a
 * semaphore on which it waits for its forks.  Who is hungry eats if neither
 * neighbour does; who has eaten looks whether a neighbour can eat now.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifndef N
#define N 4
#endif
#define LEFT(i) (((i) + N - 1) % N)
#define RIGHT(i) (((i) + 1) % N)

enum { THINKING, HUNGRY, EATING };

int state[N];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t s[N];

void test(int i)
{
    if (state[i] == HUNGRY && state[LEFT(i)] != EATING && state[RIGHT(i)] != EATING) {
        state[i] = EATING;
        sem_post(&s[i]);
    }
}

void take_forks(int i)
{
    pthread_mutex_lock(&mutex);
    state[i] = HUNGRY;
    test(i);
    pthread_mutex_unlock(&mutex);
    sem_wait(&s[i]);
}

void put_forks(int i)
{
    pthread_mutex_lock(&mutex);
    assert(state[LEFT(i)] != EATING && state[RIGHT(i)] != EATING);
    state[i] = THINKING;
    test(LEFT(i));
    test(RIGHT(i));
    pthread_mutex_unlock(&mutex);
}

void *philosopher(void *arg)
{
    int i = (int)(long)arg;

    for (;;) {
        take_forks(i);
        put_forks(i);
    }
    return NULL;
}

int main(void)
{
    pthread_t others[N];

    for (int i = 0; i < N; i++)
        sem_init(&s[i], 0, 0);
    __VERIFIER_atomic_begin(); // all begin at once
    for (int i = 1; i < N; i++)
        pthread_create(&others[i], NULL, philosopher, (void *)(long)i);
    __VERIFIER_atomic_end();
    philosopher((void *)0);
    return 0;
}
