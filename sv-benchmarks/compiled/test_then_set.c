/*
 * A try-lock that tests and sets its flag in two steps, each of them atomic.
 *
 *   a: sees that it is free | b: sees that it is free | both are in the critical section
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool busy;
static atomic_int inside;

static bool try_lock(void)
{
    if (atomic_load_explicit(&busy, memory_order_acquire))
        return false;
    atomic_store_explicit(&busy, true, memory_order_release);
    return true;
}

static void *worker(void *arg)
{
    (void)arg;
    if (try_lock()) {
        int others = atomic_fetch_add(&inside, 1);
        assert(others == 0); // FAIL
        atomic_fetch_sub(&inside, 1);
        atomic_store_explicit(&busy, false, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
