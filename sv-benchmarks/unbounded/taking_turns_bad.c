/*
 * Two threads take turns for ever, and count.
 *
 * The turn is given away too early.
 *
 *   t1: gives the turn away | t2: counts, gives it back, counts
 */
#include <assert.h>
#include <pthread.h>

int turn;
unsigned ticks, tocks;

void *tick(void *arg)
{
    (void)arg;
    for (;;) {
        while (turn != 0)
            ;
        turn = 1;
        ticks++;
    }
}

void *tock(void *arg)
{
    (void)arg;
    for (;;) {
        while (turn != 1)
            ;
        tocks++;
        assert(tocks == ticks); // FAIL
        turn = 0;
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, tick, NULL);
    pthread_create(&t2, NULL, tock, NULL);
    pthread_join(t1, NULL);
    return 0;
}
