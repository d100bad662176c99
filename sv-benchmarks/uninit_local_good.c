/*
 * A local that lives in a loop body.
 *
 * `sum` is declared outside the loop and keeps its value from one iteration
 * to the next one.
 */
#include <assert.h>
#include <pthread.h>

int step = 0;

void *adder(void *arg)
{
    int sum = 0;

    (void)arg;
    for (int i = 0; i < 2; i++) {
        sum += step;
        assert(sum == step * (i + 1));
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
