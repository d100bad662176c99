/*
 * A work-stealing deque, nearly after Chase and Lev.
 *
 * A thief reads the bottom before the top.  Where the owner takes values in between, the bottom is out of date, and the
 * thief steals what the owner has got already.
 *
 *   (values 8 and 9) t1 (steal): reads bottom 2 | t2: takes 9; begins to take 8, the last one, and moves the top
 *   | t1: reads top 1, below 2, and steals 9
 */
#include "work_stealing_deque.h"
#include <stdatomic.h>
#include <stdlib.h>

struct deque {
    atomic_int top;    /* the first value; it only grows */
    atomic_int bottom; /* behind the last value; the owner alone changes it */
    atomic_int slot[DEQUE_MOST];
};

struct deque *deque_new(void)
{
    struct deque *d = malloc(sizeof *d);

    atomic_init(&d->top, 0);
    atomic_init(&d->bottom, 0);
    for (int i = 0; i < DEQUE_MOST; i++)
        atomic_init(&d->slot[i], 0);
    return d;
}

void deque_free(struct deque *d)
{
    free(d);
}

int deque_push(struct deque *d, int value)
{
    int bottom = atomic_load(&d->bottom);

    if (bottom - atomic_load(&d->top) >= DEQUE_MOST)
        return 0;
    atomic_store(&d->slot[bottom % DEQUE_MOST], value);
    atomic_store(&d->bottom, bottom + 1);
    return 1;
}

int deque_take(struct deque *d)
{
    int bottom = atomic_load(&d->bottom) - 1;
    int top, value;

    atomic_store(&d->bottom, bottom);
    top = atomic_load(&d->top);
    if (top > bottom) {
        atomic_store(&d->bottom, bottom + 1);
        return -1;
    }
    value = atomic_load(&d->slot[bottom % DEQUE_MOST]);
    if (top == bottom) { /* the last one: thieves may be after it */
        if (!atomic_compare_exchange_strong(&d->top, &top, top + 1))
            value = -1;
        atomic_store(&d->bottom, bottom + 1);
    }
    return value;
}

int deque_steal(struct deque *d)
{
    for (;;) {
        int bottom = atomic_load(&d->bottom); /* wrong: before the top */
        int top = atomic_load(&d->top);
        int value;

        if (top >= bottom)
            return -1;
        value = atomic_load(&d->slot[top % DEQUE_MOST]);
        if (atomic_compare_exchange_strong(&d->top, &top, top + 1))
            return value;
    }
}
