/*
 * Two threads count under a ticket lock: each takes a number and waits until it
 * is served.
 *
 * The number that is served is read by an acquire load. The order of the tickets is
 * only their own, so drawing one is relaxed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint next, served;
static int count;

static void lock(void)
{
    unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);

    while (atomic_load_explicit(&served, memory_order_acquire) != mine)
        ;
}

static void unlock(void)
{
    unsigned mine = atomic_load_explicit(&served, memory_order_relaxed);

    atomic_store_explicit(&served, mine + 1, memory_order_release);
}

static void *counter(void *arg)
{
    (void)arg;
    lock();
    count++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, counter, NULL);
    pthread_create(&t2, NULL, counter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2);
    return 0;
}
