/*
 * A worker says that it is going to sleep and looks for work once more. A producer
 * adds work and looks whether the worker sleeps.
 *
 * There is a seq_cst fence between the two accesses of both.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sleeps, work;
static int slept, woken;

static void *worker(void *arg)
{
    (void)arg;
    atomic_store_explicit(&sleeps, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    slept = !atomic_load_explicit(&work, memory_order_relaxed);
    return NULL;
}

static void *producer(void *arg)
{
    (void)arg;
    atomic_store_explicit(&work, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    woken = atomic_load_explicit(&sleeps, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, producer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!slept || woken);
    return 0;
}
