/*
 * The owner of a work-stealing deque (Chase, Lev, SPAA 2005; orders of Lê, Pop,
 * Cohen, Zappa Nardelli, PPoPP 2013) takes its items back while a thief steals.
 *
 * The fences between the stores and loads of both ends are seq_cst: one of the two sees the other.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int top, bottom;
static atomic_int items[2];
static atomic_int taken[2];

static void push(int at)
{
    atomic_store_explicit(&items[at], at, memory_order_relaxed);
    atomic_store_explicit(&bottom, at + 1, memory_order_release);
}

static int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, t, item = -1;

    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t <= b) {
        item = atomic_load_explicit(&items[b], memory_order_relaxed);
        if (t < b)
            return item;
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
            item = -1;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return item;
}

static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire), b, item;

    atomic_thread_fence(memory_order_seq_cst);
    b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return -1;
    item = atomic_load_explicit(&items[t], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        return -1;
    return item;
}

static void got(int item)
{
    if (item >= 0)
        assert(atomic_fetch_add_explicit(&taken[item], 1, memory_order_relaxed) == 0);
}

static void *owner(void *arg)
{
    (void)arg;
    push(0);
    push(1);
    got(take());
    got(take());
    return NULL;
}

static void *thief(void *arg)
{
    (void)arg;
    got(steal());
    got(steal());
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, owner, NULL);
    pthread_create(&t2, NULL, thief, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
