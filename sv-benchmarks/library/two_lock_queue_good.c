/*
 * A queue as a list, with a lock for its head and one for its tail, after Michael and Scott.
 *
 * The list begins with a node whose value has been taken.  So it is never without a node: who enqueues does not touch the
 * head, who dequeues does not touch the tail.  Both may be at the same node, at its `next`.
 */
#include "two_lock_queue.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

struct queue {
    pthread_mutex_t head_lock, tail_lock;
    struct node *head; /* its value has been taken */
    struct node *tail;
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

    pthread_mutex_init(&q->head_lock, NULL);
    pthread_mutex_init(&q->tail_lock, NULL);
    q->head = q->tail = node_new(0);
    return q;
}

void queue_free(struct queue *q)
{
    while (queue_dequeue(q) != -1)
        ;
    free(q->head);
    pthread_mutex_destroy(&q->head_lock);
    pthread_mutex_destroy(&q->tail_lock);
    free(q);
}

void queue_enqueue(struct queue *q, int value)
{
    struct node *node = node_new(value);

    pthread_mutex_lock(&q->tail_lock);
    atomic_store(&q->tail->next, node);
    q->tail = node;
    pthread_mutex_unlock(&q->tail_lock);
}

int queue_dequeue(struct queue *q)
{
    struct node *head, *next;
    int value = -1;

    pthread_mutex_lock(&q->head_lock);
    head = q->head;
    next = atomic_load(&head->next);
    if (next) {
        value = next->value;
        q->head = next;
    }
    pthread_mutex_unlock(&q->head_lock);
    if (next)
        free(head);
    return value;
}
