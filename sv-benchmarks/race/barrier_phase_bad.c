/*
 * Two threads compute in two phases: first each stores its own cell, then each
 * reads the cell of the other.
 *
 * There is no barrier between the phases.
 *
 *   t1: is about to store its cell | t2: is done with its cell, and about to load t1's
 */
#include <pthread.h>
#include <stddef.h>

static int cells[2];
static int sums[2];

static void compute(int me)
{
    cells[me] = me + 1; // RACE
    sums[me] = cells[me] + cells[1 - me]; // RACE
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

    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
