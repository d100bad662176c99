/*
 * A point on the plane that is read without a lock: a sequence lock, with weaker memory orders than seq_cst.
 *
 * No fence orders the first store to the sequence number before those to the point.  So a reader may see one of these,
 * and still the old number at its end.
 */
#include "seqlock.h"
#include <stdatomic.h>
#include <stdlib.h>

struct point {
    atomic_uint sequence; /* odd while somebody writes */
    atomic_int x, y;
};

struct point *point_new(void)
{
    struct point *p = malloc(sizeof *p);

    atomic_init(&p->sequence, 0);
    atomic_init(&p->x, 0);
    atomic_init(&p->y, 0);
    return p;
}

void point_free(struct point *p)
{
    free(p);
}

void point_set(struct point *p, int x, int y)
{
    unsigned before = atomic_load_explicit(&p->sequence, memory_order_relaxed);

    atomic_store_explicit(&p->sequence, before + 1, memory_order_relaxed);
    /* wrong: no fence */
    atomic_store_explicit(&p->x, x, memory_order_relaxed);
    atomic_store_explicit(&p->y, y, memory_order_relaxed);
    atomic_store_explicit(&p->sequence, before + 2, memory_order_release);
}

void point_get(struct point *p, int *x, int *y)
{
    unsigned before;

    do {
        while ((before = atomic_load_explicit(&p->sequence, memory_order_acquire)) % 2)
            ;
        *x = atomic_load_explicit(&p->x, memory_order_relaxed);
        *y = atomic_load_explicit(&p->y, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (atomic_load_explicit(&p->sequence, memory_order_relaxed) != before);
}
