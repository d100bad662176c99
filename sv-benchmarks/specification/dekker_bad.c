/*
 * Dekker's mutual exclusion, as in Dijkstra's "Cooperating sequential
 * processes": two processes, one of which is main, go in and out for ever
 * (-D ONCE: once).
 *
 * Who finds the other's flag up, and has not the turn, takes its own flag down
 * until it has the turn.  Who has the turn does not look at the other's flag.
 *
 *   t1: raises its flag, enters | main, which has the turn: enters
 *
 * `inside` is a witness only: it counts those who are inside, in the same step
 * in which they see that they may enter.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool wants[2];
int turn = 0;
int inside = 0;

bool __VERIFIER_atomic_may_enter(int me)
{
    if (wants[1 - me] && turn != me)
        return false;
    inside++;
    assert(inside == 1); // FAIL
    return true;
}

void __VERIFIER_atomic_pass_turn(int me)
{
    inside--;
    turn = 1 - me;
}

void *process(void *arg)
{
    int me = (int)(long)arg;

    for (;;) {
        bool entered;

        do {
            wants[me] = true;
            do
                entered = __VERIFIER_atomic_may_enter(me);
            while (!entered && turn == me);
            if (!entered) {
                wants[me] = false;
                while (turn != me)
                    ;
            }
        } while (!entered);

        __VERIFIER_atomic_pass_turn(me);
        wants[me] = false;
#ifdef ONCE
        break;
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, process, (void *)1);
    process((void *)0);
    pthread_join(other, NULL);
    return 0;
}
