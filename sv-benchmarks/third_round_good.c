/*
 * A bug for which the threads have to take turns: three rounds.
 *
 * Two threads climb a ladder; the even rungs are t1's, the odd ones t2's.
 * There are four rungs.
 */
#include <assert.h>
#include <pthread.h>

int rung = 0;

void *even(void *arg)
{
    (void)arg;
    if (rung == 0)
        rung = 1;
    if (rung == 2)
        rung = 3;
    assert(rung <= 4);
    return NULL;
}

void *odd(void *arg)
{
    (void)arg;
    if (rung == 1)
        rung = 2;
    if (rung == 3)
        rung = 4;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, even, NULL);
    pthread_create(&t2, NULL, odd, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
