/*
 * Three dining philosophers take both forks at once, under the table's lock.
 *
 * Looking for free forks and taking them is one critical section, so no fork
 * ever has two users.
 */
#include <assert.h>
#include <pthread.h>

#define SEATS 3

pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
int users[SEATS];

void *philosopher(void *arg)
{
    int left = (int)(long)arg;
    int right = (left + 1) % SEATS;
    int both;

    pthread_mutex_lock(&table);
    both = users[left] == 0 && users[right] == 0;
    if (both) {
        users[left]++;
        users[right]++;
        assert(users[left] == 1 && users[right] == 1);
    }
    pthread_mutex_unlock(&table);

    pthread_mutex_lock(&table);
    if (both) {
        users[left]--;
        users[right]--;
    }
    pthread_mutex_unlock(&table);
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
