/*
 * A point on the plane that is read without a lock: a sequence lock.
 *
 * A reader waits until nobody writes, and reads again if somebody has written in the meantime.
 */
#include "seqlock.h"
#include <sched.h>
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
        while ((before = atomic_load(&p->sequence)) % 2)
            sched_yield();
        *x = atomic_load(&p->x);
        *y = atomic_load(&p->y);
    } while (atomic_load(&p->sequence) != before);
}
