/*
 * A lock-free queue after Michael and Scott: a list that begins with a node that counts as taken.
 */
#ifndef MS_QUEUE_H
#define MS_QUEUE_H

struct queue;

struct queue *queue_new(void);
void queue_free(struct queue *q);

void queue_enqueue(struct queue *q, int value);

/* The oldest value, or -1 if the queue is empty. */
int queue_dequeue(struct queue *q);

#endif
