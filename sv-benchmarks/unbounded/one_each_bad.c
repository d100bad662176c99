/*
 * As many threads as the input says, each of which adds one: at the most that
 * many come together.
 *
 * One thread too many is created.
 *
 *   n is 0 | t1: adds 1
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

unsigned n, count;

void *worker(void *arg)
{
    (void)arg;
    __sync_fetch_and_add(&count, 1);
    assert(count <= n); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t;

    n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i <= n; i++)
        pthread_create(&t, NULL, worker, NULL);
    return 0;
}
