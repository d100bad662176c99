/*
 * A ticket lock: who wants it draws a ticket, and waits until that is called.
 *
 * `ticket_try` draws the ticket that is called, or none: compare-and-swap.
 */
#include "ticket_lock.h"
#include <sched.h>

void ticket_init(struct ticket_lock *l)
{
    atomic_init(&l->next, 0);
    atomic_init(&l->serving, 0);
}

void ticket_acquire(struct ticket_lock *l)
{
    unsigned mine = atomic_fetch_add(&l->next, 1);

    while (atomic_load(&l->serving) != mine)
        sched_yield();
}

void ticket_release(struct ticket_lock *l)
{
    atomic_fetch_add(&l->serving, 1);
}

int ticket_try(struct ticket_lock *l)
{
    unsigned called = atomic_load(&l->serving);

    return atomic_compare_exchange_strong(&l->next, &called, called + 1);
}
