/*
 * A lock-free stack after Treiber: a list whose top is replaced with compare-and-swap.
 */
#ifndef TREIBER_STACK_H
#define TREIBER_STACK_H

#define STACK_THREADS 3

struct stack;

struct stack *stack_new(void);
void stack_free(struct stack *s);

void stack_push(struct stack *s, int value);

/* The value on top, or -1 if the stack is empty.  The caller is thread `me` of those from 0 to STACK_THREADS - 1. */
int stack_pop(struct stack *s, int me);

#endif
