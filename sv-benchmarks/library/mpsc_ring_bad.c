/*
 * A bounded queue in an array, for any number of producers and one consumer.
 *
 * A producer looks whether there is room, and takes a place then: two steps.  Two producers see the last place free, and
 * the second one writes over a value that nobody has taken.
 *
 *   (one place is free) t1 (push 1): there is room | t2: pushes 2 | t1: takes a place
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

    if ((int)(in - atomic_load(&r->out)) >= r->size)
        return 0;
    slot = &r->slots[atomic_fetch_add(&r->in, 1) % r->size]; /* wrong: others may have taken the last place */
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
