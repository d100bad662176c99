/*
 * A queue as a list, with a lock for its head and one for its tail.
 *
 * The empty queue has no node, so whoever enqueues the first value changes the head, too, and whoever takes the last one
 * changes the tail: each under the other one's lock only.
 *
 *   (one value) t1 (dequeue): sees that its node is the last | t2 (enqueue 1): appends to that node
 *   | t1: the queue is empty
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
    _Atomic(struct node *) head;
    _Atomic(struct node *) tail;
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
    atomic_init(&q->head, NULL);
    atomic_init(&q->tail, NULL);
    return q;
}

void queue_free(struct queue *q)
{
    while (queue_dequeue(q) != -1)
        ;
    pthread_mutex_destroy(&q->head_lock);
    pthread_mutex_destroy(&q->tail_lock);
    free(q);
}

void queue_enqueue(struct queue *q, int value)
{
    struct node *node = node_new(value);
    struct node *tail;

    pthread_mutex_lock(&q->tail_lock);
    tail = atomic_load(&q->tail);
    if (tail)
        atomic_store(&tail->next, node);
    else
        atomic_store(&q->head, node);
    atomic_store(&q->tail, node);
    pthread_mutex_unlock(&q->tail_lock);
}

int queue_dequeue(struct queue *q)
{
    struct node *head, *next;
    int value = -1;

    pthread_mutex_lock(&q->head_lock);
    head = atomic_load(&q->head);
    if (head) {
        value = head->value;
        next = atomic_load(&head->next);
        atomic_store(&q->head, next);
        if (!next)
            atomic_store(&q->tail, NULL); /* wrong: somebody may have appended to it */
        free(head);
    }
    pthread_mutex_unlock(&q->head_lock);
    return value;
}
