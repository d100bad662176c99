/*
 * Two threads compute in two phases: first each stores its own cell, then each
 * reads the cell of the other.
 *
 * There is a barrier between the phases.
 */
#include <pthread.h>
#include <stddef.h>

static int cells[2];
static int sums[2];
static pthread_barrier_t phase;

static void compute(int me)
{
    cells[me] = me + 1;
    pthread_barrier_wait(&phase);
    sums[me] = cells[me] + cells[1 - me];
}

static void *first(void *arg)
{
    (void)arg;
    compute(0);
    return NULL;
}

static void *second(void *arg)
{
    (void)arg;
    compute(1);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_barrier_destroy(&phase);
    return 0;
}
