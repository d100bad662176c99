/*
 * Two threads count under Peterson's lock.
 *
 * Its stores are releases, and its loads are acquires. So each thread may read
 * the flag of the other one before its own is visible.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int count;

static void *one(void *arg)
{
    (void)arg;
    atomic_store_explicit(&wants[0], 1, memory_order_release);
    atomic_store_explicit(&turn, 1, memory_order_release);
    while (atomic_load_explicit(&wants[1], memory_order_acquire) && atomic_load_explicit(&turn, memory_order_acquire))
        ;
    count++; // RACE
    atomic_store_explicit(&wants[0], 0, memory_order_release);
    return NULL;
}

static void *two(void *arg)
{
    (void)arg;
    atomic_store_explicit(&wants[1], 1, memory_order_release);
    atomic_store_explicit(&turn, 0, memory_order_release);
    while (atomic_load_explicit(&wants[0], memory_order_acquire) && !atomic_load_explicit(&turn, memory_order_acquire))
        ;
    count++; // RACE
    atomic_store_explicit(&wants[1], 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2);
    return 0;
}
