/*
 * Two threads write a cell each, meet at a barrier, and read the other's cell. The
 * last thread to arrive turns a flag for which the other one waits.
 *
 * Threads arrive by a subtraction that acquires and releases.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int cells[2];
static atomic_int missing = 2, open;

static void meet(void)
{
    if (atomic_fetch_sub_explicit(&missing, 1, memory_order_acq_rel) == 1)
        atomic_store_explicit(&open, 1, memory_order_release);
    else
        while (!atomic_load_explicit(&open, memory_order_acquire))
            ;
}

static void *worker(void *arg)
{
    int me = *(int *)arg;

    cells[me] = me + 1;
    meet();
    assert(cells[1 - me] == 2 - me);
    return NULL;
}

static int numbers[2] = {0, 1};

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, worker, &numbers[0]);
    pthread_create(&t2, NULL, worker, &numbers[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
