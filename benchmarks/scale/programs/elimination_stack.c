/*
 * A stack where a push and a pop that are disturbed may meet in a slot instead.
 *
 * Bug: a push looks whether its offer is still there, and then withdraws it, in two steps.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 6
#define PUSHERS 5
#define POPPERS 3
#define NIL (-1)
#define EMPTY 0
#define TAKEN (-1)

atomic_int head = NIL;
atomic_int next[NODES];
atomic_int slot = EMPTY; // EMPTY, TAKEN, or one more than the node that is offered
atomic_int taken[NODES];

int cas(atomic_int *cell, int before, int after) { return atomic_compare_exchange_strong(cell, &before, after); }

int try_push(int node)
{
    int before = head;
    next[node] = before;
    return cas(&head, before, node);
}

int withdraw(int node)
{
#ifdef REPAIRED
    if (cas(&slot, node + 1, EMPTY))
        return 1;
#else
    if (slot == node + 1) {
        slot = EMPTY;
        return 1;
    }
#endif
    slot = EMPTY;
    return 0;
}

void push(int node)
{
    while (!try_push(node)) {
        if (cas(&slot, EMPTY, node + 1) && !withdraw(node))
            return;
    }
}

int pop(void)
{
    while (1) {
        int before = head;
        int rest, offer;

        if (before == NIL)
            return NIL;
        rest = next[before];
        if (cas(&head, before, rest))
            return before;
        offer = slot;
        if (offer > 0 && cas(&slot, offer, TAKEN))
            return offer - 1;
    }
}

void *pusher(void *arg)
{
    int node = (int)(long)arg;
    push(node);
    return NULL;
}

void *popper(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        int node = pop();
        if (node != NIL)
            assert(atomic_fetch_add(&taken[node], 1) == 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t poppers[POPPERS], pushers[PUSHERS];

    push(0);
    for (int i = 0; i < POPPERS; i++)
        pthread_create(&poppers[i], NULL, popper, NULL);
    for (int i = 0; i < PUSHERS; i++)
        pthread_create(&pushers[i], NULL, pusher, (void *)(long)(i + 1));
    for (int i = 0; i < POPPERS; i++)
        pthread_join(poppers[i], NULL);
    for (int i = 0; i < PUSHERS; i++)
        pthread_join(pushers[i], NULL);
    return 0;
}
