/*
 * Sixteen threads, created in a loop, draw tickets.
 *
 * A lock makes drawing one step.
 */
#include <assert.h>
#include <pthread.h>

#define THREADS 16

int next_ticket;
int drawn[THREADS];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *visitor(void *arg)
{
    int ticket;

    (void)arg;
    pthread_mutex_lock(&lock);
    ticket = next_ticket;
    next_ticket = ticket + 1;
    assert(!drawn[ticket]);
    drawn[ticket] = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, visitor, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
