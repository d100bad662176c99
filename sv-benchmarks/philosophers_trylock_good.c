/*
 * Dining philosophers, one mutex per fork; the second fork is only tried.
 *
 * A philosopher who does not get the second fork puts the first one down
 * and goes without a meal.
 */
#include <pthread.h>

#define SEATS 3

pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

void *philosopher(void *arg)
{
    int left = (int)(long)arg;
    int right = (left + 1) % SEATS;

    pthread_mutex_lock(&forks[left]);
    if (pthread_mutex_trylock(&forks[right]) == 0) {
        /* eats */
        pthread_mutex_unlock(&forks[right]);
    }
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, philosopher, (void *)0);
    pthread_create(&t2, NULL, philosopher, (void *)1);
    pthread_create(&t3, NULL, philosopher, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
