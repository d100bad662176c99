/*
 * A lock from test-and-set.
 *
 * test_and_set is a plain function: two threads can both read 0 from it.
 *
 *   t1: reads 0 | t2: reads 0, sets 1, owner = 2 | t1: sets 1, owner = 1
 *   | t2: owner is not 2
 */
#include <assert.h>
#include <pthread.h>

int word = 0;
int owner = 0;

int test_and_set(int *cell)
{
    int old = *cell;

    *cell = 1;
    return old;
}

void *contender(void *arg)
{
    int me = (int)(long)arg;

    if (test_and_set(&word) == 0) {
        owner = me;
        assert(owner == me); // FAIL
        word = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, contender, (void *)1);
    pthread_create(&t2, NULL, contender, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
