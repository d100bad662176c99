/*
 * A lock-free stack after Treiber: a list whose top is replaced with compare-and-swap.
 */
#ifndef TREIBER_STACK_H
#define TREIBER_STACK_H

struct stack;

struct stack *stack_new(void);
void stack_free(struct stack *s);

void stack_push(struct stack *s, int value);

/* The value on top, or -1 if the stack is empty. */
int stack_pop(struct stack *s);

#endif
