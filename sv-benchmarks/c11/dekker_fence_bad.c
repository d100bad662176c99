/*
 * Each of two threads sets its flag, and takes the lock only if the other flag is
 * not set.
 *
 * The fence between the two accesses is acq_rel, which leaves a store and a later
 * load unordered.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flags[2];
static int count;

static int enters(int me)
{
    atomic_store_explicit(&flags[me], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_acq_rel);
    return !atomic_load_explicit(&flags[1 - me], memory_order_relaxed);
}

static void *one(void *arg)
{
    (void)arg;
    if (enters(0))
        count++; // RACE
    return NULL;
}

static void *two(void *arg)
{
    (void)arg;
    if (enters(1))
        count++; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count < 2);
    return 0;
}
