/*
 * Dining philosophers around a table with N seats, one mutex per fork.
 *
 * The last one begins with the fork at the right.  So all take the fork with the
 * smaller number first, and there is no circle.
 */
#include <pthread.h>

#define N 4

pthread_mutex_t forks[N];
int meals[N];

void *philosopher(void *arg)
{
    int seat = (int)(long)arg;
    int first = seat == N - 1 ? 0 : seat;
    int second = seat == N - 1 ? seat : seat + 1;

    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
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
        pthread_join(t[i], NULL);
    return 0;
}
