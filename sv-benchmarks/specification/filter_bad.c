/*
 * Peterson's mutual exclusion for N processes, as in Raynal's "Concurrent
 * Programming": main and N - 1 others go in and out for ever.
 *
 * There is one level too few.  At each, a process lets all others go first, and
 * then waits until nobody else is at that level or above, or somebody has come
 * to that level after it.  The condition of the wait is looked at in one step.
 * `inside` is a witness only: it counts those who are inside.
 *
 *   main waits at level 2 | t1 comes to level 2 | main enters | t2 comes to
 *   level 2 | t1 enters
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifndef N
#define N 4
#endif

int level[N];
int after_you[N];
int inside = 0;

bool __VERIFIER_atomic_may_go_on(int me, int l)
{
    if (after_you[l] == me)
        for (int k = 0; k < N; k++)
            if (k != me && level[k] >= l)
                return false;
    if (l == N - 2) {
        inside++;
        assert(inside == 1); // FAIL
    }
    return true;
}

void __VERIFIER_atomic_leave(int me)
{
    inside--;
    level[me] = 0;
}

void *process(void *arg)
{
    int me = (int)(long)arg;

    for (;;) {
        for (int l = 1; l < N - 1; l++) {
            bool goes_on;

            level[me] = l;
            after_you[l] = me;
            do
                goes_on = __VERIFIER_atomic_may_go_on(me, l);
            while (!goes_on);
        }

        __VERIFIER_atomic_leave(me);
    }
    return NULL;
}

int main(void)
{
    pthread_t others[N];

    __VERIFIER_atomic_begin(); // all begin at once
    for (int i = 1; i < N; i++)
        pthread_create(&others[i], NULL, process, (void *)(long)i);
    __VERIFIER_atomic_end();
    process((void *)0);
    return 0;
}
