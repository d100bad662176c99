/*
 * A writer unlinks a version, waits until the reader is outside of its critical
 * section, and frees it.
 *
 * The reader sets a flag and then reads the pointer. There is a seq_cst fence
 * between the two, as between the writer's store and load.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic(int *) current;
static atomic_int reads;

static void *reader(void *arg)
{
    int *seen;

    (void)arg;
    atomic_store_explicit(&reads, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    seen = atomic_load_explicit(&current, memory_order_acquire);
    if (seen)
        assert(*seen == 1);
    atomic_store_explicit(&reads, 0, memory_order_release);
    return NULL;
}

static void *writer(void *arg)
{
    int *old = atomic_load_explicit(&current, memory_order_relaxed);

    (void)arg;
    atomic_store_explicit(&current, NULL, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&reads, memory_order_acquire))
        ;
    free(old);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int *first = malloc(sizeof *first);

    *first = 1;
    atomic_init(&current, first);
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
