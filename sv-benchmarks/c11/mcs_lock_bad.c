/*
 * Two threads count under an MCS lock (Mellor-Crummey, Scott, 1991): a queue of
 * nodes, each of which its thread waits in.
 *
 * The lock is handed over by a relaxed store: the next thread need not see what
 * the last one has counted.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};

static _Atomic(struct node *) tail;
static int count;

static void *counter(void *arg)
{
    struct node *mine = arg;
    struct node *before, *after, *last = mine;

    atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&mine->waits, 1, memory_order_relaxed);
    before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (before) {
        atomic_store_explicit(&before->next, mine, memory_order_release);
        while (atomic_load_explicit(&mine->waits, memory_order_acquire))
            ;
    }

    count++; // RACE

    after = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (!after) {
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release, memory_order_relaxed))
            return NULL;
        while (!(after = atomic_load_explicit(&mine->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&after->waits, 0, memory_order_relaxed);
    return NULL;
}

static struct node nodes[2];

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, counter, &nodes[0]);
    pthread_create(&t2, NULL, counter, &nodes[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2);
    return 0;
}
