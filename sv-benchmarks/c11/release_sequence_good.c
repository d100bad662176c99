/*
 * A producer stores how many items there are; two consumers decrease the number and
 * read an item each (C11 5.1.2.4p10, release sequences).
 *
 * They do it by an update: each one is in the release sequence of the producer's
 * store.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int items[3];
static atomic_int left;

static void *producer(void *arg)
{
    (void)arg;
    items[1] = 1;
    items[2] = 2;
    atomic_store_explicit(&left, 2, memory_order_release);
    return NULL;
}

static void *consumer(void *arg)
{
    int mine;

    (void)arg;
    while (!atomic_load_explicit(&left, memory_order_relaxed))
        ;
    mine = atomic_fetch_sub_explicit(&left, 1, memory_order_acquire);
    if (mine > 0)
        assert(items[mine] == mine);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_create(&t3, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
