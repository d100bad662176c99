/*
 * Two threads count under a lock that is tested before it is taken by a
 * compare-exchange.
 *
 * Its order if it succeeds is acquire. If it fails, it is relaxed, as nothing is read
 * then.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int held;
static int count;

static void lock(void)
{
    int expected;

    do {
        while (atomic_load_explicit(&held, memory_order_relaxed))
            ;
        expected = 0;
    } while (!atomic_compare_exchange_weak_explicit(&held, &expected, 1, memory_order_acquire, memory_order_relaxed));
}

static void unlock(void)
{
    atomic_store_explicit(&held, 0, memory_order_release);
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
