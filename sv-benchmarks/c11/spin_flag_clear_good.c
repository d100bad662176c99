/*
 * Two threads count under a spin lock, an atomic_flag.
 *
 * The flag is cleared by a release store, so what its owner has counted may
 * not become visible later.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag held = ATOMIC_FLAG_INIT;
static int count;

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
        ;
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&held, memory_order_release);
}

static void *counter(void *arg)
{
    (void)arg;
    lock();
    count++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, counter, NULL);
    pthread_create(&t2, NULL, counter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2);
    return 0;
}
