/*
 * Two threads store to two words in different orders. In the end the words are
 * compared.
 *
 * The stores are seq_cst: the last store of one of the threads is the last one.
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
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 2, memory_order_seq_cst);
    return NULL;
}

static void *two(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    atomic_store_explicit(&x, 2, memory_order_seq_cst);
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
    assert(last_x == 2 || last_y == 2);
    return 0;
}
