/*
 * Two threads report their result; the best one is kept.
 *
 * Comparing and storing are not one step.
 *
 *   t1: 1 beats 0 | t2: 2 beats 0, stores 2 | t1: stores 1
 *   | t2: the best is below 2
 */
#include <assert.h>
#include <pthread.h>

int best = 0;

void *report(void *arg)
{
    int mine = (int)(long)arg;

    best = mine > best ? mine : best;
    assert(best >= mine); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, report, (void *)1);
    pthread_create(&t2, NULL, report, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
