/*
 * Dining philosophers around a table with N seats, one mutex per fork.
 *
 * All begin with the fork at the left.  If each has got that one, the circle is
 * closed: everybody waits for his neighbour.
 *
 *   t1: takes fork 0 | t2: takes fork 1 | t3: takes fork 2 | t4: takes fork 3,
 *   waits for fork 0 | t1, t2, t3: wait for fork 1, 2, 3
 */
#include <pthread.h>

#define N 4

pthread_mutex_t forks[N];
int meals[N];

void *philosopher(void *arg)
{
    int seat = (int)(long)arg;
    int first = seat;
    int second = (seat + 1) % N;

    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]); // DEADLOCK
    meals[seat]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL); // DEADLOCK
    return 0;
}
