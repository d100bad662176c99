/*
 * A producer puts two items into a ring with one place, and a consumer takes them
 * out.
 *
 * Before a place is used again, the producer reads the head by a relaxed load: it
 * need not come after what the consumer has read.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int ring[1];
static atomic_uint head, tail;

static void *producer(void *arg)
{
    (void)arg;
    for (unsigned t = 0; t < 2; t++) {
        while (t - atomic_load_explicit(&head, memory_order_relaxed) == 1)
            ;
        ring[0] = t + 1; // RACE
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
        assert(ring[0] == (int)h + 1); // RACE
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
