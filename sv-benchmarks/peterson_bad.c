/*
 * Peterson's algorithm for two threads.
 *
 * Wrong order: each thread gives the turn away BEFORE it raises its flag, so
 * the other one may pass while the flag is still down.
 *
 *   t1: turn = 1 | t2: turn = 0, flag up, t1's flag is down: enters, owner = 1
 *   | t1: flag up, the turn is 0: enters, owner = 0 | t2: owner is not 1
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int flag[2];
int turn;
int owner;

void *process(void *arg)
{
    int me = (int)(long)arg;
    int other = 1 - me;
    int wants, whose;

    turn = other;
    flag[me] = 1;
    /* while (flag[other] && turn == other) ; the last test of that loop */
    wants = flag[other];
    whose = turn;
    __VERIFIER_assume(!(wants && whose == other));

    owner = me;
    assert(owner == me); // FAIL

    flag[me] = 0;
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
