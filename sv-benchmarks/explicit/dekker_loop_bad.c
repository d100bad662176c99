/*
 * Dekker's mutual exclusion for two threads that go in and out for ever.
 *
 * Who has the turn walks in without a look at the other flag.
 *
 *   t2: flag up, t1's flag is down: enters, inside = 1
 *   | t1: flag up, has the turn: enters too, inside = 0 | t2: inside is not 1
 */
#include <assert.h>
#include <pthread.h>

int wants[2];
int turn = 0;
int inside;

void *process(void *arg)
{
    int me = (int)(long)arg;
    int other = 1 - me;

    for (;;) {
        wants[me] = 1;
        while (wants[other] && turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }

        inside = me;
        assert(inside == me); // FAIL

        turn = other;
        wants[me] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, process, (void *)0);
    pthread_create(&t2, NULL, process, (void *)1);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
