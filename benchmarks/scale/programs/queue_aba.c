/*
 * A lock-free queue (Michael and Scott) whose nodes are used again at once.
 *
 * Bug: the head has no tag, so a slow dequeue makes a node the head that is in use elsewhere (ABA).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 8
#define WORKERS 8
#define VALUES (7 + WORKERS)
#define NIL 15
#define TAG 16

#ifdef REPAIRED
#define STEP TAG
#else
#define STEP 0
#endif

atomic_int head, tail; // nodes; the head is a dummy, and has a tag if repaired
atomic_int next[NODES] = {1, 2, 3, 4, 5, 6, NIL};
atomic_int values[NODES] = {0, 1, 2, 3, 4, 5, 6};
atomic_int taken[VALUES];

int cas(atomic_int *cell, int before, int after) { return atomic_compare_exchange_strong(cell, &before, after); }

void enqueue(int node, int value)
{
    values[node] = value;
    next[node] = NIL;
    while (1) {
        int last = tail;
        int after = next[last];

        if (after != NIL) {
            cas(&tail, last, after);
        } else if (cas(&next[last], NIL, node)) {
            cas(&tail, last, node);
            return;
        }
    }
}

/* The node that is free now, or NIL. */
int dequeue(void)
{
    int old = head;
    int first = old % TAG;
    int after = next[first];
    int value;

    if (after == NIL || first == tail)
        return NIL;
    value = values[after];
    if (!cas(&head, old, old - first + STEP + after))
        return NIL;
    assert(atomic_fetch_add(&taken[value], 1) == 0);
    return first;
}

void *worker(void *arg)
{
    int self = (int)(long)arg;
    int node = dequeue();

    if (node != NIL)
        enqueue(node, 7 + self);
    dequeue();
    return NULL;
}

void *taker(void *arg)
{
    (void)arg;
    dequeue();
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS], last;

    tail = 6;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, (void *)(long)i);
    pthread_create(&last, NULL, taker, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    pthread_join(last, NULL);
    return 0;
}
