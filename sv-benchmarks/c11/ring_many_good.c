/*
 * Two producers put an item each into a bounded queue (Vyukov), and a consumer
 * takes one out. Each place has a sequence number: its turn.
 *
 * The turn of a filled place is stored as a release.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct cell {
    atomic_uint sequence;
    int item;
};

static struct cell cells[2];
static atomic_uint tail, head;

static void *producer(void *arg)
{
    unsigned at = atomic_fetch_add_explicit(&tail, 1, memory_order_relaxed);
    struct cell *cell = &cells[at % 2];

    (void)arg;
    while (atomic_load_explicit(&cell->sequence, memory_order_acquire) != at)
        ;
    cell->item = 5;
    atomic_store_explicit(&cell->sequence, at + 1, memory_order_release);
    return NULL;
}

static void *consumer(void *arg)
{
    unsigned at = atomic_fetch_add_explicit(&head, 1, memory_order_relaxed);
    struct cell *cell = &cells[at % 2];

    (void)arg;
    while (atomic_load_explicit(&cell->sequence, memory_order_acquire) != at + 1)
        ;
    assert(cell->item == 5);
    atomic_store_explicit(&cell->sequence, at + 2, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    atomic_init(&cells[0].sequence, 0);
    atomic_init(&cells[1].sequence, 1);
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, producer, NULL);
    pthread_create(&t3, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
