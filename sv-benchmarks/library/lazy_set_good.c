/*
 * A set of integers as a sorted list, with a lock in each node; who only looks takes no lock (a lazy list).
 *
 * A node is marked as removed, under its lock, before it is taken out of the list.  Whoever has the locks makes sure that
 * both nodes are neighbours and neither is marked.
 */
#include "lazy_set.h"
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int key;
    atomic_int removed;
    _Atomic(struct node *) next;
    pthread_mutex_t lock;
    struct node *later; /* in the list of removed nodes */
};

struct set {
    struct node *head; /* has the key INT_MIN, the last node INT_MAX */
    _Atomic(struct node *) dead; /* removed nodes, for others may still be in them; freed with the set */
};

static struct node *node_new(int key, struct node *next)
{
    struct node *node = malloc(sizeof *node);

    node->key = key;
    atomic_init(&node->removed, 0);
    atomic_init(&node->next, next);
    pthread_mutex_init(&node->lock, NULL);
    return node;
}

static void node_free(struct node *node)
{
    pthread_mutex_destroy(&node->lock);
    free(node);
}

struct set *set_new(void)
{
    struct set *s = malloc(sizeof *s);

    s->head = node_new(INT_MIN, node_new(INT_MAX, NULL));
    atomic_init(&s->dead, NULL);
    return s;
}

void set_free(struct set *s)
{
    struct node *node = s->head, *next;

    while (node) {
        next = atomic_load(&node->next);
        node_free(node);
        node = next;
    }
    node = atomic_load(&s->dead);
    while (node) {
        next = node->later;
        node_free(node);
        node = next;
    }
    free(s);
}

static int valid(struct node *before, struct node *node)
{
    return !atomic_load(&before->removed) && !atomic_load(&node->removed) && atomic_load(&before->next) == node;
}

/* The first node whose key is not below this one, and the node before it, both locked. */
static struct node *locate(struct set *s, int key, struct node **before)
{
    for (;;) {
        struct node *last = s->head;
        struct node *node = atomic_load(&last->next);

        while (node->key < key) {
            last = node;
            node = atomic_load(&node->next);
        }
        pthread_mutex_lock(&last->lock);
        pthread_mutex_lock(&node->lock);
        if (valid(last, node)) {
            *before = last;
            return node;
        }
        pthread_mutex_unlock(&node->lock);
        pthread_mutex_unlock(&last->lock);
    }
}

int set_add(struct set *s, int key)
{
    struct node *before, *node = locate(s, key, &before);
    int absent = node->key != key;

    if (absent)
        atomic_store(&before->next, node_new(key, node));
    pthread_mutex_unlock(&node->lock);
    pthread_mutex_unlock(&before->lock);
    return absent;
}

int set_remove(struct set *s, int key)
{
    struct node *before, *node = locate(s, key, &before);
    int present = node->key == key;

    if (present) {
        atomic_store(&node->removed, 1);
        atomic_store(&before->next, atomic_load(&node->next));
    }
    pthread_mutex_unlock(&node->lock);
    pthread_mutex_unlock(&before->lock);
    if (present) {
        node->later = atomic_load(&s->dead);
        while (!atomic_compare_exchange_strong(&s->dead, &node->later, node))
            ;
    }
    return present;
}

int set_contains(struct set *s, int key)
{
    struct node *node = s->head;

    while (node->key < key)
        node = atomic_load(&node->next);
    return node->key == key && !atomic_load(&node->removed);
}
