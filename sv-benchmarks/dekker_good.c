/*
 * Dekker's algorithm for two threads.
 *
 * The thread that has the turn keeps its flag up and waits until the other
 * one has taken its flag down; only then it enters.
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
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            __VERIFIER_assume(turn == me);
            wants[me] = 1;
        }
    }

    owner = me;
    assert(owner == me);

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
