/*
 * A reader of two words accepts them if the sequence number was even and has not
 * changed.
 *
 * There is no fence before it reads the number again, so the words
 * may be read after it (Boehm, MSPC 2012).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *arg)
{
    (void)arg;
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&low, 1, memory_order_relaxed);
    atomic_store_explicit(&high, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return NULL;
}

static void *reader(void *arg)
{
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int first = atomic_load_explicit(&low, memory_order_relaxed);
    int second = atomic_load_explicit(&high, memory_order_relaxed);

    (void)arg;
    if (before % 2 == 0 && atomic_load_explicit(&sequence, memory_order_relaxed) == before)
        assert(first == second); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
