/*
 * Two threads store to two words in different orders. In the end the words are
 * compared.
 *
 * The stores are releases: in the order of each word, the first store of a thread
 * may be the last one.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int last_x, last_y;

static void *one(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_store_explicit(&y, 2, memory_order_release);
    return NULL;
}

static void *two(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_store_explicit(&x, 2, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    last_x = atomic_load_explicit(&x, memory_order_relaxed);
    last_y = atomic_load_explicit(&y, memory_order_relaxed);
    assert(last_x == 2 || last_y == 2); // FAIL
    return 0;
}
