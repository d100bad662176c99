/*
 * Each of two threads stores to its own flag and loads the other one.
 *
 * One of the loads is an acquire: then it may read 0 although the other thread
 * reads 0 as well.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r1, r2;

static void *one(void *arg)
{
    (void)arg;
    atomic_store(&x, 1);
    r1 = atomic_load_explicit(&y, memory_order_acquire);
    return NULL;
}

static void *two(void *arg)
{
    (void)arg;
    atomic_store(&y, 1);
    r2 = atomic_load(&x);
    atomic_fetch_add_explicit(&y, 0, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r1 || r2); // FAIL
    return 0;
}
