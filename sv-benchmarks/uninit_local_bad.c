/*
 * A local that lives in a loop body.
 *
 * The programmer sets `sum` once and relies on the old value being there in
 * the next iteration.  But every iteration reaches the declaration anew and
 * has a new, undefined `sum`.  (Compiled without optimisation it often works.)
 *
 *   t1: first iteration, sum = 1; second iteration: sum is anything
 */
#include <assert.h>
#include <pthread.h>

int step = 0;

void *adder(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        int sum;
        if (i == 0)
            sum = 0;
        sum += step;
        assert(sum == step * (i + 1)); // FAIL
    }
    return NULL;
}

int main(void)
{
    pthread_t t1;

    step = 1;
    pthread_create(&t1, NULL, adder, NULL);
    pthread_join(t1, NULL);
    return 0;
}
