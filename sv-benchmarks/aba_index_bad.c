/*
 * A free list of array indexes, changed by compare-and-swap (ABA problem).
 *
 * The swap only looks whether the head is the same node as before.  In
 * between, that node may have been taken and brought back.
 *
 *   t1: head 0, next 1 | t2: takes 0 and 1, brings back 0
 *   | t1: head is still 0, makes 1 the head, but 1 is taken
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#define NIL 3

int head = 0;
int next[4] = {1, 2, NIL, NIL};
int taken[4];

int __VERIFIER_atomic_cas(int *cell, int before, int after)
{
    if (*cell != before)
        return 0;
    *cell = after;
    return 1;
}

int swap_head(int before, int node)
{
    return __VERIFIER_atomic_cas(&head, before, node);
}

int pop(void)
{
    int before = head;
    int node = before;
    int rest = next[node];

    if (node == NIL || !swap_head(before, rest))
        return NIL;
    return node;
}

void *taker(void *arg)
{
    (void)arg;
    pop();
    __VERIFIER_atomic_begin();
    assert(!taken[head]); // FAIL
    __VERIFIER_atomic_end();
    return NULL;
}

void *borrower(void *arg)
{
    int first, second, before;

    (void)arg;
    first = pop();
    second = pop();
    if (first == NIL || second == NIL)
        return NULL;
    taken[second] = 1;
    before = head;
    next[first] = before;
    swap_head(before, first);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, taker, NULL);
    pthread_create(&t2, NULL, borrower, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
