/*
 * Threads without end count in a variable of their own and in a common one.
 *
 * All threads have the same `mine`.
 *
 *   t1: counts 1 | t2: counts 2 | t1: expects 1
 */
#include <assert.h>
#include <pthread.h>

unsigned mine;
unsigned total;

void *worker(void *arg)
{
    unsigned before;

    (void)arg;
    for (;;) {
        before = mine;
        __sync_fetch_and_add(&total, 1);
        mine++;
        assert(mine == before + 1); // FAIL
    }
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, worker, NULL);
}
