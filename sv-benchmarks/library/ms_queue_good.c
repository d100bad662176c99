/*
 * A lock-free queue after Michael and Scott.
 *
 * An enqueuer links its node to the last one first; whoever finds the tail behind the last node moves it.  Nodes stay
 * allocated until the queue is freed, so no address comes twice.
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
    struct node *tail, *next;

    for (;;) {
        tail = atomic_load(&q->tail);
        next = NULL;
        if (atomic_compare_exchange_strong(&tail->next, &next, node))
            break;
        atomic_compare_exchange_strong(&q->tail, &tail, next);
    }
    atomic_compare_exchange_strong(&q->tail, &tail, node);
}

int queue_dequeue(struct queue *q)
{
    struct node *head, *tail, *next;

    for (;;) {
        head = atomic_load(&q->head);
        tail = atomic_load(&q->tail);
        next = atomic_load(&head->next);
        if (!next)
            return -1;
        if (head == tail)
            atomic_compare_exchange_strong(&q->tail, &tail, next);
        else if (atomic_compare_exchange_strong(&q->head, &head, next))
            return next->value;
    }
}
