/*
 * A point on the plane that is read without a lock: a sequence lock, with weaker memory orders than seq_cst.
 *
 * The fence of the writer keeps the stores to the point after the one that makes the number odd, and the fence of the
 * reader keeps its loads before the one that compares the number (Boehm, Can Seqlocks Get Along With Programming Language
 * Memory Models?, MSPC 2012).
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
    atomic_thread_fence(memory_order_release);
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
