/*
 * A ticket lock: who wants it draws a ticket, and waits until that is called.
 *
 * `ticket_try` looks whether all tickets are served, and draws one then.  In between another thread may have drawn it.
 *
 *   t1 (try): ticket 0 is the next and is called | t2 (acquire): draws 0, has the lock | t1: draws 1, and believes it has it
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
    if (atomic_load(&l->next) != atomic_load(&l->serving))
        return 0;
    atomic_fetch_add(&l->next, 1); /* wrong: it may be another ticket by now */
    return 1;
}
