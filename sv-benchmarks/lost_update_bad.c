/*
 * Lost update: two threads increment a shared counter.
 *
 * counter++ is a load and a store.  If both threads load before either one
 * stores, one of the two increments is lost.
 *
 *   t1: loads 0 | t2: loads 0, stores 1 | t1: stores 1 | main: 1 is not 2
 */
#include <assert.h>
#include <pthread.h>

int counter = 0;

void *increment(void *arg)
{
    (void)arg;
    counter++;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, increment, NULL);
    pthread_create(&t2, NULL, increment, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);

    assert(counter == 2); // FAIL
    return 0;
}
