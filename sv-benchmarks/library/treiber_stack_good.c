/*
 * A lock-free stack after Treiber, with nodes from malloc.
 *
 * Threads that pop are counted.  A node is freed by the thread that has taken it out, if that is the only one that pops:
 * later ones cannot get at the node.  Otherwise it is kept until the stack is freed.  So no thread looks into a node that
 * was freed, and no node comes back while somebody still has the old one (no ABA).
 */
#include "treiber_stack.h"
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
    struct node *later; /* in the list of nodes that are kept */
};

struct stack {
    _Atomic(struct node *) top;
    atomic_int popping;
    _Atomic(struct node *) kept;
};

struct stack *stack_new(void)
{
    struct stack *s = malloc(sizeof *s);

    atomic_init(&s->top, NULL);
    atomic_init(&s->popping, 0);
    atomic_init(&s->kept, NULL);
    return s;
}

void stack_free(struct stack *s)
{
    struct node *node, *later;

    while (stack_pop(s) != -1)
        ;
    for (node = atomic_load(&s->kept); node; node = later) {
        later = node->later;
        free(node);
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

int stack_pop(struct stack *s)
{
    struct node *top;
    int value = -1;

    atomic_fetch_add(&s->popping, 1);
    top = atomic_load(&s->top);
    while (top && !atomic_compare_exchange_strong(&s->top, &top, top->next))
        ;
    if (top) {
        value = top->value;
        if (atomic_load(&s->popping) == 1) {
            free(top);
        } else {
            top->later = atomic_load(&s->kept);
            while (!atomic_compare_exchange_strong(&s->kept, &top->later, top))
                ;
        }
    }
    atomic_fetch_sub(&s->popping, 1);
    return value;
}
