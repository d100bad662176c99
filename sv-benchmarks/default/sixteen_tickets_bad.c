/*
 * Sixteen threads, created in a loop, draw tickets.
 *
 * Drawing is a read and a write.
 *
 *   t1: reads 0 | t2: draws 0 | t1: draws 0, too
 */
#include <assert.h>
#include <pthread.h>

#define THREADS 16

int next_ticket;
int drawn[THREADS];

void *visitor(void *arg)
{
    int ticket = next_ticket;

    (void)arg;
    next_ticket = ticket + 1;
    assert(!drawn[ticket]); // FAIL
    drawn[ticket] = 1;
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
