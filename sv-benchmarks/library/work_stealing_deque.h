/*
 * A work-stealing deque: its owner pushes and takes at the bottom, others steal at the top.
 */
#ifndef WORK_STEALING_DEQUE_H
#define WORK_STEALING_DEQUE_H

#define DEQUE_MOST 4

struct deque;

struct deque *deque_new(void);
void deque_free(struct deque *d);

/* By the owner: whether there was room for the value. */
int deque_push(struct deque *d, int value);

/* By the owner: the value that was pushed last, or -1 if there is none. */
int deque_take(struct deque *d);

/* By anybody: the value that was pushed first, or -1 if there is none. */
int deque_steal(struct deque *d);

#endif
