/*
 * A lock from test-and-set.
 *
 * A function whose name begins with __VERIFIER_atomic_ is one step, so only
 * one thread reads 0 from it.
 */
#include <assert.h>
#include <pthread.h>

int word = 0;
int owner = 0;

int __VERIFIER_atomic_test_and_set(int *cell)
{
    int old = *cell;

    *cell = 1;
    return old;
}

void *contender(void *arg)
{
    int me = (int)(long)arg;

    if (__VERIFIER_atomic_test_and_set(&word) == 0) {
        owner = me;
        assert(owner == me);
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
