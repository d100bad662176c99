/*
 * Dining philosophers, one mutex per fork; the second fork is only tried.
 *
 * The result of trylock is ignored: a philosopher whose neighbour has the
 * fork eats all the same, and then puts down a fork that is not his.
 *
 *   t1: takes fork 0 | t3: takes fork 2, tries fork 0 in vain, goes on and
 *   unlocks fork 0, which is t1's
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
    pthread_mutex_trylock(&forks[right]);
    /* eats */
    pthread_mutex_unlock(&forks[right]); // FAIL
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
