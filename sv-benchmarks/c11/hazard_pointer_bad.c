/*
 * A reader announces the node that it is about to read, and looks again whether it
 * is still there (Michael, 2004). A writer removes the node, and frees it unless it
 * is announced.
 *
 * The announcement is a release store, and the writer looks by an acquire load: each
 * may miss the other.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic(int *) current, hazard;

static void *reader(void *arg)
{
    int *seen = atomic_load_explicit(&current, memory_order_acquire);

    (void)arg;
    atomic_store_explicit(&hazard, seen, memory_order_release);
    if (seen && atomic_load_explicit(&current, memory_order_acquire) == seen)
        assert(*seen == 1); // RACE
    atomic_store_explicit(&hazard, NULL, memory_order_release);
    return NULL;
}

static void *writer(void *arg)
{
    int *old = atomic_exchange_explicit(&current, NULL, memory_order_acq_rel);

    (void)arg;
    if (atomic_load_explicit(&hazard, memory_order_acquire) != old)
        free(old); // RACE
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
