/*
 * A lock-free queue after Michael and Scott, with weaker memory orders than seq_cst.
 *
 * A node is linked with release, and links are loaded with acquire.  A dequeuer may still see no node after an enqueuer
 * has returned, as long as nothing orders the two calls.  The head may pass the tail, which enqueuers then move; nodes
 * stay allocated until the queue is freed.
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
        struct node *next = atomic_load_explicit(&node->next, memory_order_relaxed);

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
        tail = atomic_load_explicit(&q->tail, memory_order_acquire);
        next = NULL;
        if (atomic_compare_exchange_strong_explicit(&tail->next, &next, node, memory_order_release,
                                                    memory_order_acquire))
            break;
        atomic_compare_exchange_strong_explicit(&q->tail, &tail, next, memory_order_release, memory_order_relaxed);
    }
    atomic_compare_exchange_strong_explicit(&q->tail, &tail, node, memory_order_release, memory_order_relaxed);
}

int queue_dequeue(struct queue *q)
{
    struct node *head, *next;

    for (;;) {
        head = atomic_load_explicit(&q->head, memory_order_acquire);
        next = atomic_load_explicit(&head->next, memory_order_acquire);
        if (!next)
            return -1;
        if (atomic_compare_exchange_strong_explicit(&q->head, &head, next, memory_order_release,
                                                    memory_order_relaxed))
            return next->value;
    }
}
