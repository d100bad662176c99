/*
 * A bounded queue in an array, for any number of producers and one consumer.
 *
 * A producer takes the place for which it has seen room, or looks again: compare-and-swap.  The consumer waits for the
 * producer whose place is the next, as later ones may have finished before it.
 */
#include "mpsc_ring.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct slot {
    atomic_int filled;
    int value;
};

struct ring {
    int size;
    atomic_uint in;  /* the place for the next value */
    atomic_uint out; /* the oldest value; the consumer alone changes it */
    struct slot slots[RING_MOST];
};

struct ring *ring_new(int size)
{
    struct ring *r = malloc(sizeof *r);

    r->size = size;
    atomic_init(&r->in, 0);
    atomic_init(&r->out, 0);
    for (int i = 0; i < size; i++)
        atomic_init(&r->slots[i].filled, 0);
    return r;
}

void ring_free(struct ring *r)
{
    free(r);
}

int ring_push(struct ring *r, int value)
{
    unsigned in = atomic_load(&r->in);
    struct slot *slot;

    do {
        if ((int)(in - atomic_load(&r->out)) >= r->size) /* negative where `in` is out of date */
            return 0;
    } while (!atomic_compare_exchange_strong(&r->in, &in, in + 1));
    slot = &r->slots[in % r->size];
    slot->value = value;
    atomic_store(&slot->filled, 1);
    return 1;
}

int ring_pop(struct ring *r)
{
    unsigned out = atomic_load(&r->out);
    struct slot *slot = &r->slots[out % r->size];
    int value;

    if (out == atomic_load(&r->in))
        return -1;
    while (!atomic_load(&slot->filled))
        sched_yield(); /* the producer that has the place is still at work */
    value = slot->value;
    atomic_store(&slot->filled, 0);
    atomic_store(&r->out, out + 1);
    return value;
}
