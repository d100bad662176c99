/*
 * A counter under a spin lock.
 *
 * The lock is released with release, and taken with acquire.
 */
#include "counter.h"
#include <stdatomic.h>

static atomic_int held;
static int count;

int counter_next(void)
{
    int next;

    while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
        ;
    next = count++;
    atomic_store_explicit(&held, 0, memory_order_release);
    return next;
}
