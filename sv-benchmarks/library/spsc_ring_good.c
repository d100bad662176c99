/*
 * A bounded queue in an array, for one producer and one consumer.
 *
 * The producer alone changes `in`, the consumer alone changes `out`; both only grow, and their difference is the number
 * of elements.  A slot is written before `in` passes it, and read before `out` does.
 */
#include "spsc_ring.h"
#include <stdatomic.h>
#include <stdlib.h>

struct ring {
    unsigned size;
    atomic_uint in;
    atomic_uint out;
    int slot[RING_MOST];
};

struct ring *ring_new(int size)
{
    struct ring *r = malloc(sizeof *r);

    r->size = size;
    atomic_init(&r->in, 0);
    atomic_init(&r->out, 0);
    return r;
}

void ring_free(struct ring *r)
{
    free(r);
}

int ring_push(struct ring *r, int value)
{
    unsigned in = atomic_load(&r->in);

    if (in - atomic_load(&r->out) == r->size)
        return 0;
    r->slot[in % r->size] = value;
    atomic_store(&r->in, in + 1);
    return 1;
}

int ring_pop(struct ring *r)
{
    unsigned out = atomic_load(&r->out);
    int value;

    if (out == atomic_load(&r->in))
        return -1;
    value = r->slot[out % r->size];
    atomic_store(&r->out, out + 1);
    return value;
}
