/*
 * Two threads set a flag each. Two readers look at both, in different orders.
 *
 * The accesses are releases and acquires: one reader may see only the first flag,
 * and the other one only the second.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r1, r2, r3, r4;

static void *write_x(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_release);
    return NULL;
}

static void *write_y(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_release);
    return NULL;
}

static void *read_x_then_y(void *arg)
{
    (void)arg;
    r1 = atomic_load_explicit(&x, memory_order_acquire);
    r2 = atomic_load_explicit(&y, memory_order_acquire);
    return NULL;
}

static void *read_y_then_x(void *arg)
{
    (void)arg;
    r3 = atomic_load_explicit(&y, memory_order_acquire);
    r4 = atomic_load_explicit(&x, memory_order_acquire);
    return NULL;
}

static atomic_int done;

int main(void)
{
    pthread_t t1, t2, t3, t4;

    atomic_store_explicit(&done, 0, memory_order_relaxed);
    pthread_create(&t1, NULL, write_x, NULL);
    pthread_create(&t2, NULL, write_y, NULL);
    pthread_create(&t3, NULL, read_x_then_y, NULL);
    pthread_create(&t4, NULL, read_y_then_x, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    pthread_join(t4, NULL);
    assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0)); // FAIL
    return 0;
}
