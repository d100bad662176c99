/*
 * A bounded queue in an array, for one producer and one consumer, with weaker memory orders than seq_cst.
 *
 * The index that one side changes is stored with release and loaded by the other side with acquire.  So the consumer
 * sees the value in each slot that `in` has passed, and the producer writes to no slot before it was read.
 */
#include "spsc_ring.h"
#include <stdatomic.h>
#include <stdlib.h>

struct ring {
    unsigned size;
    atomic_uint in;
    atomic_uint out;
    atomic_int slot[RING_MOST];
};

struct ring *ring_new(int size)
{
    struct ring *r = malloc(sizeof *r);

    r->size = size;
    atomic_init(&r->in, 0);
    atomic_init(&r->out, 0);
    for (int i = 0; i < RING_MOST; i++)
        atomic_init(&r->slot[i], 0);
    return r;
}

void ring_free(struct ring *r)
{
    free(r);
}

int ring_push(struct ring *r, int value)
{
    unsigned in = atomic_load_explicit(&r->in, memory_order_relaxed);

    if (in - atomic_load_explicit(&r->out, memory_order_acquire) == r->size)
        return 0;
    atomic_store_explicit(&r->slot[in % r->size], value, memory_order_relaxed);
    atomic_store_explicit(&r->in, in + 1, memory_order_release);
    return 1;
}

int ring_pop(struct ring *r)
{
    unsigned out = atomic_load_explicit(&r->out, memory_order_relaxed);
    int value;

    if (out == atomic_load_explicit(&r->in, memory_order_acquire))
        return -1;
    value = atomic_load_explicit(&r->slot[out % r->size], memory_order_relaxed);
    atomic_store_explicit(&r->out, out + 1, memory_order_release);
    return value;
}
