/*
 * A thread pushes two nodes onto a stack, and another one pops one of them. If the
 * compare-exchange of the pop fails, it has read a new top.
 *
 * Its order for that is relaxed, so the thread may read a node that is not ready.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) stack;
static struct node nodes[2];

static void *pusher(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        struct node *first = atomic_load_explicit(&stack, memory_order_relaxed);

        nodes[i].value = i; // RACE
        do
            nodes[i].next = first; // RACE
        while (!atomic_compare_exchange_strong_explicit(&stack, &first, &nodes[i], memory_order_release, memory_order_relaxed));
    }
    return NULL;
}

static void *popper(void *arg)
{
    struct node *first = atomic_load_explicit(&stack, memory_order_acquire);

    (void)arg;
    while (first)
        if (atomic_compare_exchange_strong_explicit(&stack, &first, first->next, memory_order_relaxed, memory_order_relaxed)) { // RACE
            assert(first->value < 2); // RACE
            break;
        }
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
