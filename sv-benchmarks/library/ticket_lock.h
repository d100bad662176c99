/*
 * A ticket lock: who wants it draws a ticket, and waits until that is called.
 */
#ifndef TICKET_LOCK_H
#define TICKET_LOCK_H

#include <stdatomic.h>

struct ticket_lock {
    atomic_uint next;    /* the ticket to be drawn */
    atomic_uint serving; /* the ticket that is called */
};

void ticket_init(struct ticket_lock *l);
void ticket_acquire(struct ticket_lock *l);

/* Whether the lock was free, and is the caller's now. */
int ticket_try(struct ticket_lock *l);

void ticket_release(struct ticket_lock *l);

/* What the lock is for: a number that only its owner touches. */
struct counter {
    struct ticket_lock lock;
    int value;
};

#endif
