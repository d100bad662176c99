/*
 * A point on the plane that is read without a lock: a sequence lock.
 *
 * A reader makes sure that the sequence number is the same in the end, but not that nobody was writing in the beginning.
 *
 *   t1 (set 1, 1): sequence 1, x = 1 | t2 (get): sequence 1, x is 1, y is 0, sequence 1
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
    atomic_fetch_add(&p->sequence, 1);
    atomic_store(&p->x, x);
    atomic_store(&p->y, y);
    atomic_fetch_add(&p->sequence, 1);
}

void point_get(struct point *p, int *x, int *y)
{
    unsigned before;

    do {
        before = atomic_load(&p->sequence); /* wrong: it may be odd */
        *x = atomic_load(&p->x);
        *y = atomic_load(&p->y);
    } while (atomic_load(&p->sequence) != before);
}
