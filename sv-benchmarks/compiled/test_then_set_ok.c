/* A try-lock that tests and sets its flag in one step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool busy;
static atomic_int inside;

static bool try_lock(void) { return !atomic_exchange_explicit(&busy, true, memory_order_acquire); }

static void *worker(void *arg)
{
    (void)arg;
    if (try_lock()) {
        int others = atomic_fetch_add(&inside, 1);
        assert(others == 0);
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
