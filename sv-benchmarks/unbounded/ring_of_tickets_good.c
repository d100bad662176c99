/*
 * A queue in a ring with free-running indices: what the consumer takes out is
 * numbered one above what it took before.
 *
 * The producer waits while the ring is full.
 */
#include <assert.h>
#include <pthread.h>

#define SIZE 4u

unsigned ring[SIZE];
unsigned put, taken;

void *producer(void *arg)
{
    (void)arg;
    for (;;) {
        while (put - taken >= SIZE)
            ;
        ring[put % SIZE] = put;
        put++;
    }
}

void *consumer(void *arg)
{
    (void)arg;
    for (;;) {
        while (put == taken)
            ;
        assert(ring[taken % SIZE] == taken);
        taken++;
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    return 0;
}
