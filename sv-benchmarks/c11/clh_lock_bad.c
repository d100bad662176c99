/*
 * Two threads count under a CLH lock (Craig, 1993): each puts a node at the end
 * of a queue and waits for the node before it.
 *
 * The exchange of the tail is relaxed: the thread that comes next need not see
 * what is in the node.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int is_held; /* before it is in the queue */
    atomic_int held;
};

static struct node first, nodes[2];
static _Atomic(struct node *) tail = &first;
static int count;

static void *counter(void *arg)
{
    struct node *mine = arg, *before;

    mine->is_held = 1; // RACE
    atomic_store_explicit(&mine->held, 1, memory_order_relaxed);
    before = atomic_exchange_explicit(&tail, mine, memory_order_relaxed);
    if (before->is_held) // RACE
        while (atomic_load_explicit(&before->held, memory_order_acquire))
            ;
    count++; // RACE
    atomic_store_explicit(&mine->held, 0, memory_order_release);
    return NULL;
}

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
