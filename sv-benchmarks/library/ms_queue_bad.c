/*
 * A lock-free queue, nearly after Michael and Scott.
 *
 * An enqueuer moves the tail to its node first, and links the node to the one before it afterwards.  In between the list
 * ends at the older node: what others append behind the new node has been enqueued, but nobody finds it.
 *
 *   t1 (enqueue 1): moves the tail | t2: enqueues 2, dequeues: nothing | t1: links its node
 */
#include "ms_queue.h"
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

struct queue {
    _Atomic(struct node *) head; /* its value has been taken */
    _Atomic(struct node *) tail;
    struct node *first; /* nodes stay allocated until the queue is freed */
};

static struct node *node_new(int value)
{
    struct node *node = malloc(sizeof *node);

    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

struct queue *queue_new(void)
{
    struct queue *q = malloc(sizeof *q);

    q->first = node_new(0);
    atomic_init(&q->head, q->first);
    atomic_init(&q->tail, q->first);
    return q;
}

void queue_free(struct queue *q)
{
    struct node *node = q->first;

    while (node) {
        struct node *next = atomic_load(&node->next);

        free(node);
        node = next;
    }
    free(q);
}

void queue_enqueue(struct queue *q, int value)
{
    struct node *node = node_new(value);
    struct node *tail = atomic_load(&q->tail);

    while (!atomic_compare_exchange_strong(&q->tail, &tail, node)) /* wrong: it is not in the list yet */
        ;
    atomic_store(&tail->next, node);
}

int queue_dequeue(struct queue *q)
{
    struct node *head, *next;

    for (;;) {
        head = atomic_load(&q->head);
        next = atomic_load(&head->next);
        if (!next)
            return -1;
        if (atomic_compare_exchange_strong(&q->head, &head, next))
            return next->value;
    }
}
