/*
 * Peterson's algorithm for two threads.
 *
 * Right order: a thread first raises its flag and then gives the turn away,
 * so at most one of the two finds the way free.
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

    flag[me] = 1;
    turn = other;
    /* while (flag[other] && turn == other) ; the last test of that loop */
    wants = flag[other];
    whose = turn;
    __VERIFIER_assume(!(wants && whose == other));

    owner = me;
    assert(owner == me);

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
