/*
 * A writer waits until no reader is left in a lock that counts them. -1 is the
 * writer.
 *
 * Readers leave by a relaxed subtraction: the writer need not wait for what they
 * still read.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int state;
static int data, seen;

static void *reader(void *arg)
{
    int readers = atomic_load_explicit(&state, memory_order_relaxed);

    (void)arg;
    if (readers < 0 || !atomic_compare_exchange_strong_explicit(&state, &readers, readers + 1, memory_order_acquire, memory_order_relaxed))
        return NULL;
    seen = data; // RACE
    atomic_fetch_sub_explicit(&state, 1, memory_order_relaxed);
    return NULL;
}

static void *writer(void *arg)
{
    int none = 0;

    (void)arg;
    while (!atomic_compare_exchange_weak_explicit(&state, &none, -1, memory_order_acquire, memory_order_relaxed))
        none = 0;
    data = 1; // RACE
    atomic_store_explicit(&state, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(data == 1);
    return 0;
}
