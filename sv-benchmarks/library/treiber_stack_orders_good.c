/*
 * A lock-free stack after Treiber, with weaker memory orders than seq_cst.
 *
 * A node is published with release, and its address is loaded with acquire, also where a compare-and-swap fails.  A pop
 * is an update of the top, so it does not end the release sequences of the nodes below.
 */
#include "treiber_stack.h"
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    struct node *later; /* in a list of nodes that are kept */
};

struct stack {
    _Atomic(struct node *) top;
    struct node *kept[STACK_THREADS]; /* each used by one thread */
};

struct stack *stack_new(void)
{
    struct stack *s = malloc(sizeof *s);

    atomic_init(&s->top, NULL);
    for (int i = 0; i < STACK_THREADS; i++)
        s->kept[i] = NULL;
    return s;
}

void stack_free(struct stack *s)
{
    while (stack_pop(s, 0) != -1)
        ;
    for (int i = 0; i < STACK_THREADS; i++) {
        struct node *node = s->kept[i];

        while (node) {
            struct node *later = node->later;

            free(node);
            node = later;
        }
    }
    free(s);
}

void stack_push(struct stack *s, int value)
{
    struct node *node = malloc(sizeof *node);

    node->value = value;
    node->next = atomic_load_explicit(&s->top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&s->top, &node->next, node, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

int stack_pop(struct stack *s, int me)
{
    struct node *top = atomic_load_explicit(&s->top, memory_order_acquire);
    int value;

    while (top
           && !atomic_compare_exchange_strong_explicit(&s->top, &top, top->next, memory_order_acquire,
                                                       memory_order_acquire))
        ;
    if (!top)
        return -1;
    value = top->value;
    top->later = s->kept[me];
    s->kept[me] = top;
    return value;
}
