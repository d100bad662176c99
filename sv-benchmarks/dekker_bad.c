/*
 * Dekker's algorithm for two threads.
 *
 * The test of the turn was folded into the loop condition.  Now the thread
 * that has the turn walks in without waiting for the other one's flag.
 *
 *   t2: flag up, t1's flag is down: enters, owner = 1
 *   | t1: flag up, has the turn: enters too, owner = 0 | t2: owner is not 1
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int wants[2];
int turn = 0;
int owner;

void *process(void *arg)
{
    int me = (int)(long)arg;
    int other = 1 - me;

    wants[me] = 1;
    while (wants[other] && turn != me) {
        wants[me] = 0;
        __VERIFIER_assume(turn == me);
        wants[me] = 1;
    }

    owner = me;
    assert(owner == me); // FAIL

    turn = other;
    wants[me] = 0;
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
