/*
 * An MCS lock: who waits for it is in a list, and waits at a flag of its own.
 *
 * Who releases the lock and is no longer the last in the list waits for the next one to link itself.
 */
#include "mcs_lock.h"
#include <sched.h>
#include <stddef.h>

void mcs_init(struct mcs_lock *l)
{
    atomic_init(&l->tail, NULL);
}

void mcs_acquire(struct mcs_lock *l, struct mcs_node *me)
{
    struct mcs_node *before;

    atomic_store(&me->next, NULL);
    atomic_store(&me->waiting, 1);
    before = atomic_exchange(&l->tail, me);
    if (before) {
        atomic_store(&before->next, me);
        while (atomic_load(&me->waiting))
            sched_yield();
    }
}

void mcs_release(struct mcs_lock *l, struct mcs_node *me)
{
    struct mcs_node *next, *last = me;

    if (atomic_compare_exchange_strong(&l->tail, &last, NULL))
        return;
    while (!(next = atomic_load(&me->next)))
        sched_yield();
    atomic_store(&next->waiting, 0);
}
