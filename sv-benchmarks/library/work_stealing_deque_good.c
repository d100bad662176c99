/*
 * A work-stealing deque after Chase and Lev.
 *
 * A thief reads the top first.  If it is still the same in the end, all that the owner took in between was above it, or
 * the bottom that was read tells of it.
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
        int top = atomic_load(&d->top);
        int bottom = atomic_load(&d->bottom);
        int value;

        if (top >= bottom)
            return -1;
        value = atomic_load(&d->slot[top % DEQUE_MOST]);
        if (atomic_compare_exchange_strong(&d->top, &top, top + 1))
            return value;
    }
}
