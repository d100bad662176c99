/*
 * A lock-free stack after Treiber, with nodes from malloc.
 *
 * Whoever pops a node frees it at once.  Another thread that has read the same top still looks into the node; and where
 * malloc gives the same memory to the next push, its compare-and-swap succeeds with a `next` that is long out of date
 * (ABA).
 *
 *   t1 (pop): reads the top, A | t2 (pop): takes A, frees it | t1: reads A->next
 */
#include "treiber_stack.h"
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct stack {
    _Atomic(struct node *) top;
};

struct stack *stack_new(void)
{
    struct stack *s = malloc(sizeof *s);

    atomic_init(&s->top, NULL);
    return s;
}

void stack_free(struct stack *s)
{
    while (stack_pop(s, 0) != -1)
        ;
    free(s);
}

void stack_push(struct stack *s, int value)
{
    struct node *node = malloc(sizeof *node);

    node->value = value;
    node->next = atomic_load(&s->top);
    while (!atomic_compare_exchange_strong(&s->top, &node->next, node))
        ;
}

int stack_pop(struct stack *s, int me)
{
    struct node *top = atomic_load(&s->top);
    int value;

    (void)me;
    while (top && !atomic_compare_exchange_strong(&s->top, &top, top->next)) /* wrong: may be freed by now */
        ;
    if (!top)
        return -1;
    value = top->value;
    free(top);
    return value;
}
