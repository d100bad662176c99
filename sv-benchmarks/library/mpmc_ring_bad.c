/*
 * A bounded queue in an array, for any number of producers and consumers.  Each slot says whose turn it is.
 *
 * A consumer gives its slot back before it has read the value.
 *
 *   (two slots, one is used) t1 (pop): takes the place, gives the slot back | t2: pushes 1 and 2 | t1: reads 2, which is in
 *   the queue still
 */
#include "mpmc_ring.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct slot {
    atomic_uint turn; /* the place whose value may be written here, or that place + 1, and it may be read */
    int value;
};

struct ring {
    int size;
    atomic_uint in;  /* the place for the next value */
    atomic_uint out; /* the oldest value */
    struct slot slots[RING_MOST];
};

struct ring *ring_new(int size)
{
    struct ring *r = malloc(sizeof *r);

    r->size = size;
    atomic_init(&r->in, 0);
    atomic_init(&r->out, 0);
    for (int i = 0; i < size; i++)
        atomic_init(&r->slots[i].turn, i);
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

    for (;;) {
        slot = &r->slots[in % r->size];
        if (atomic_load(&slot->turn) == in) {
            if (atomic_compare_exchange_strong(&r->in, &in, in + 1))
                break;
        } else {
            if ((int)(in - atomic_load(&r->out)) >= r->size)
                return 0;
            sched_yield(); /* a consumer has the value, but has not given the slot back; or `in` is out of date */
            in = atomic_load(&r->in);
        }
    }
    slot->value = value;
    atomic_store(&slot->turn, in + 1);
    return 1;
}

int ring_pop(struct ring *r)
{
    unsigned out = atomic_load(&r->out);
    struct slot *slot;
    int value;

    for (;;) {
        slot = &r->slots[out % r->size];
        if (atomic_load(&slot->turn) == out + 1) {
            if (atomic_compare_exchange_strong(&r->out, &out, out + 1))
                break;
        } else {
            if (atomic_load(&r->in) == out)
                return -1;
            sched_yield(); /* a producer has the place, but has not written the value; or `out` is out of date */
            out = atomic_load(&r->out);
        }
    }
    atomic_store(&slot->turn, out + r->size); /* wrong: a producer may write now */
    value = slot->value;
    return value;
}
