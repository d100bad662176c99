/*
 * An MCS lock: who waits for it is in a list, and waits at a flag of its own.
 *
 * Who releases the lock and finds nobody behind it, but is no longer the last in the list, has to wait for the one that is
 * about to link itself.  It does not: the other one writes to a node that is gone, and waits for ever.
 *
 *   t1 (release): nobody is next | t2 (acquire): is the last now | t1: returns | t2: links itself to t1's node
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
    next = atomic_load(&me->next);
    if (next) /* wrong: somebody is coming */
        atomic_store(&next->waiting, 0);
}
