/*
 * Fibonacci race: i += j and j += i, each done STEPS times.  The values are
 * largest when the threads take turns strictly: the assertion says that they
 * do not get even there.
 *
 *   t1: i = 2 | t2: j = 3 | t1: i = 5 | t2: j = 8 | ...
 *
 * STEPS and MOST belong together: (2, 8), (3, 21), (4, 55), (5, 144),
 * (6, 377), (7, 987).
 */
#include <assert.h>
#include <pthread.h>

#ifndef STEPS
#define STEPS 7
#endif
#ifndef MOST
#define MOST 987
#endif

int i = 1;
int j = 1;

void *first(void *arg)
{
    (void)arg;
    for (int k = 0; k < STEPS; k++)
        i += j;
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    for (int k = 0; k < STEPS; k++)
        j += i;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(i < MOST && j < MOST); // FAIL
    return 0;
}
