/*
 * Peterson's mutual exclusion, as in Raynal's "Concurrent Programming": two
 * processes, one of which is main, go in and out for ever.
 *
 * A process lets the other one go first, and then waits until that one is not
 * interested, or has let it go first in turn.  As in the book, the condition of
 * the wait is looked at in one step.  `inside` is a witness only: it counts
 * those who are inside, in the same step in which they enter or leave.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool flag[2];
int after_you = 0;
int inside = 0;

bool __VERIFIER_atomic_may_enter(int me)
{
    if (flag[1 - me] && after_you == me)
        return false;
    inside++;
    assert(inside == 1);
    return true;
}

void __VERIFIER_atomic_leave(int me)
{
    inside--;
    flag[me] = false;
}

void *process(void *arg)
{
    int me = (int)(long)arg;

    for (;;) {
        bool entered;

        flag[me] = true;
        after_you = me;
        do
            entered = __VERIFIER_atomic_may_enter(me);
        while (!entered);

        __VERIFIER_atomic_leave(me);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, process, (void *)1);
    process((void *)0);
    return 0;
}
