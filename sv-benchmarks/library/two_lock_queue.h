/*
 * A queue as a list, with a lock for its head and one for its tail.
 */
#ifndef TWO_LOCK_QUEUE_H
#define TWO_LOCK_QUEUE_H

struct queue;

struct queue *queue_new(void);
void queue_free(struct queue *q);

void queue_enqueue(struct queue *q, int value);

/* The oldest value, or -1 if the queue is empty. */
int queue_dequeue(struct queue *q);

#endif
