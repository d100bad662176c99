/*
 * Two threads count to a thousand each, in one counter.
 *
 * Reading and writing the counter are two steps.
 *
 *   t1: reads 0 | t2: counts to 999 | t1: writes 1 | t2: reads 1
 *   | t1: counts to 1000 | t2: writes 2
 */
#include <assert.h>
#include <pthread.h>

#define ROUNDS 1000

int count;

void *counter(void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        int seen = count;
        count = seen + 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, counter, NULL);
    pthread_create(&t2, NULL, counter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2 * ROUNDS); // FAIL
    return 0;
}
