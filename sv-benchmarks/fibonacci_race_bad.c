/*
 * Fibonacci race: i += j and j += i, each done twice.  The values are largest
 * when the threads take turns strictly: 1 1 2 3 5 8.
 *
 * The assertion claims that 8 cannot be reached.
 *
 *   t1: i = 2 | t2: j = 3 | t1: i = 5 | t2: j = 8
 */
#include <assert.h>
#include <pthread.h>

#define STEPS 2

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
    assert(j < 8); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
