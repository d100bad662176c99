/*
 * An MCS lock: who waits for it is in a list, and waits at a flag of its own.
 */
#ifndef MCS_LOCK_H
#define MCS_LOCK_H

#include <stdatomic.h>

struct mcs_node {
    _Atomic(struct mcs_node *) next;
    atomic_int waiting;
};

struct mcs_lock {
    _Atomic(struct mcs_node *) tail; /* the last in the list, whose first one has the lock */
};

void mcs_init(struct mcs_lock *l);

/* The node is the caller's, which may forget it after the release. */
void mcs_acquire(struct mcs_lock *l, struct mcs_node *me);
void mcs_release(struct mcs_lock *l, struct mcs_node *me);

/* What the lock is for: a number that only its owner touches. */
struct counter {
    struct mcs_lock lock;
    int value;
};

#endif
