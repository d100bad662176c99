/*
 * Two threads count under a spin lock that is taken by an exchange.
 *
 * The exchange is relaxed: the thread that takes the lock need not see what the
 * last owner has stored.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int held;
static int count;

static void lock(void)
{
    while (atomic_exchange_explicit(&held, 1, memory_order_relaxed))
        ;
}

static void unlock(void)
{
    atomic_store_explicit(&held, 0, memory_order_release);
}

static void *counter(void *arg)
{
    (void)arg;
    lock();
    count++; // RACE
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
