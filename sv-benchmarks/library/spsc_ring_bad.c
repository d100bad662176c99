/*
 * A bounded queue in an array, for one producer and one consumer.
 *
 * Each side has an index of its own, but both change the number of elements, and nothing makes that one step.
 *
 *   (one element) t1 (push): reads count 1 | t2 (pop): count = 0 | t1: count = 2, and the ring counts as full
 */
#include "spsc_ring.h"
#include <stdlib.h>

struct ring {
    int size;
    volatile int count;
    int in;  /* used by the producer */
    int out; /* used by the consumer */
    volatile int slot[RING_MOST];
};

struct ring *ring_new(int size)
{
    struct ring *r = calloc(1, sizeof *r);

    r->size = size;
    return r;
}

void ring_free(struct ring *r)
{
    free(r);
}

int ring_push(struct ring *r, int value)
{
    if (r->count == r->size)
        return 0;
    r->slot[r->in] = value;
    r->in = (r->in + 1) % r->size;
    r->count++; /* wrong: a load and a store */
    return 1;
}

int ring_pop(struct ring *r)
{
    int value;

    if (r->count == 0)
        return -1;
    value = r->slot[r->out];
    r->out = (r->out + 1) % r->size;
    r->count--; /* wrong, too */
    return value;
}
