/*
 * Two translation units: the threads are here, the sum is in b.c.  Both units
 * have a static `calls` and a static count(); they are different things.
 *
 * add() in b.c locks, so neither amount gets lost.
 */
#include <assert.h>
#include <pthread.h>

#include "shared.h"

static int calls = 0;

static void count(void)
{
    calls += 10;
}

static void *worker(void *arg)
{
    int *amount = arg;

    add(*amount);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int amount[2] = {1, 2};

    count();
    pthread_create(&t[0], NULL, worker, &amount[0]);
    pthread_create(&t[1], NULL, worker, &amount[1]);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(calls == 10 && total() == 3);
    return 0;
}
