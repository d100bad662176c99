/*
 * A thread pushes a node onto a stack (Treiber, 1986), and another one pops it.
 *
 * The compare-exchange that pushes it is a release.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) stack;

static void *pusher(void *arg)
{
    struct node *node = malloc(sizeof *node);
    struct node *first = atomic_load_explicit(&stack, memory_order_relaxed);

    (void)arg;
    node->value = 7;
    do
        node->next = first;
    while (!atomic_compare_exchange_weak_explicit(&stack, &first, node, memory_order_release, memory_order_relaxed));
    return NULL;
}

static void *popper(void *arg)
{
    struct node *first = atomic_load_explicit(&stack, memory_order_acquire);

    (void)arg;
    while (first && !atomic_compare_exchange_weak_explicit(&stack, &first, first->next, memory_order_acquire, memory_order_acquire))
        ;
    if (first)
        assert(first->value == 7);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, pusher, NULL);
    pthread_create(&t2, NULL, popper, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
