/*
 * A queue without locks, for several producers and one consumer.
 *
 * A producer takes its place with compare-and-swap, and then writes the value.
 * The consumer believes that what is before the tail has been written.
 *
 *   t1: takes place 0 | main: sees the tail at 1, reads place 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SIZE 8

struct queue {
    atomic_int tail;
    atomic_int written;
    int head;
    int value[SIZE];
};

void enqueue(struct queue *q, int value)
{
    int place = atomic_load(&q->tail);

    while (!atomic_compare_exchange_strong(&q->tail, &place, place + 1)) {
    }
    q->value[place % SIZE] = value;
    atomic_fetch_add(&q->written, 1);
}

int dequeue(struct queue *q)
{
    if (q->head == atomic_load(&q->tail))
        return -1;
    return q->value[q->head++ % SIZE];
}

void *producer(void *arg)
{
    struct queue *q = arg;

    enqueue(q, 7);
    enqueue(q, 8);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    struct queue *q = calloc(1, sizeof *q);

    if (q == NULL)
        return 0;
    pthread_create(&t1, NULL, producer, q);
    pthread_create(&t2, NULL, producer, q);
    for (int i = 0; i < 4; i++) {
        int value = dequeue(q);

        assert(value == -1 || value == 7 || value == 8); // FAIL
    }
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    free(q);
    return 0;
}
