/*
 * Two threads count under a mutex in one word: 0 free, 1 held, 2 held and
 * another thread waits (Drepper, Futexes are tricky). Waiting is a loop here.
 *
 * Unlocking is a release exchange.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int word;
static int count;

static void lock(void)
{
    int found = 0;

    if (atomic_compare_exchange_strong_explicit(&word, &found, 1, memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&word, 2, memory_order_acquire) != 0)
        while (atomic_load_explicit(&word, memory_order_relaxed) == 2)
            ;
}

static void unlock(void)
{
    atomic_exchange_explicit(&word, 0, memory_order_release);
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
