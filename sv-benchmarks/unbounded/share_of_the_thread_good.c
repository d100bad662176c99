/*
 * Threads without end count in a variable of their own and in a common one.
 *
 * Each thread has its own `mine`.
 */
#include <assert.h>
#include <pthread.h>

_Thread_local unsigned mine;
unsigned total;

void *worker(void *arg)
{
    unsigned before;

    (void)arg;
    for (;;) {
        before = mine;
        __sync_fetch_and_add(&total, 1);
        mine++;
        assert(mine == before + 1);
    }
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, worker, NULL);
}
