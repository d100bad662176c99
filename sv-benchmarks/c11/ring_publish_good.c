/*
 * A producer puts two items into a ring of two places, and a consumer takes them
 * out.
 *
 * An item is published by a release store of the tail.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int ring[2];
static atomic_uint head, tail;

static void *producer(void *arg)
{
    (void)arg;
    for (unsigned t = 0; t < 2; t++) {
        while (t - atomic_load_explicit(&head, memory_order_acquire) == 2)
            ;
        ring[t % 2] = t + 1;
        atomic_store_explicit(&tail, t + 1, memory_order_release);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    for (unsigned h = 0; h < 2; h++) {
        while (atomic_load_explicit(&tail, memory_order_acquire) == h)
            ;
        assert(ring[h % 2] == (int)h + 1);
        atomic_store_explicit(&head, h + 1, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
