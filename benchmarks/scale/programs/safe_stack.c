/*
 * A stack of indices that hides the head's link while a pop is under way (after an idea of Vyukov).
 *
 * Bug: the head may be taken, brought back and be the head again (ABA), so that two threads own one index.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 3
#define TAG 16

#ifdef REPAIRED
#define STEP TAG
#define HIDE(link) (link)
#else
#define STEP 0
#define HIDE(link) atomic_exchange(&(link), -1)
#endif

atomic_int head = 0; // with a tag that changes in each push, if repaired
atomic_int next[NODES] = {1, 2, -1};
atomic_int owned[NODES];

int cas(atomic_int *cell, int before, int after) { return atomic_compare_exchange_strong(cell, &before, after); }

/* The last node stays, and no two threads pop at once. */
int pop(void)
{
    int first = head;
    int node = first % TAG;
    int rest = HIDE(next[node]);

    if (rest < 0)
        return -1;
    if (cas(&head, first, first - node + rest))
        return node;
#ifndef REPAIRED
    next[node] = rest;
#endif
    return -1;
}

void push(int node)
{
    while (1) {
        int first = head;
        next[node] = first % TAG;
        if (cas(&head, first, first - first % TAG + STEP + node))
            break;
    }
}

void use(void)
{
    int node = pop();

    if (node >= 0) {
        assert(!atomic_exchange(&owned[node], 1));
        owned[node] = 0;
        push(node);
    }
}

void *once(void *arg)
{
    (void)arg;
    use();
    return NULL;
}

void *twice(void *arg)
{
    (void)arg;
    use();
    use();
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, once, NULL);
    pthread_create(&b, NULL, twice, NULL);
    pthread_create(&c, NULL, twice, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
