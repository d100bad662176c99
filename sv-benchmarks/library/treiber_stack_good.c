/*
 * A lock-free stack after Treiber, with nodes from malloc.
 *
 * Whoever pops a node keeps it until the stack is freed.  So no thread looks into a node that was freed, and no address
 * comes twice: there is no ABA.
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
    node->next = atomic_load(&s->top);
    while (!atomic_compare_exchange_strong(&s->top, &node->next, node))
        ;
}

int stack_pop(struct stack *s, int me)
{
    struct node *top = atomic_load(&s->top);
    int value;

    while (top && !atomic_compare_exchange_strong(&s->top, &top, top->next))
        ;
    if (!top)
        return -1;
    value = top->value;
    top->later = s->kept[me];
    s->kept[me] = top;
    return value;
}
