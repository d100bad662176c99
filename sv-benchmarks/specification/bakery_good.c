/*
 * Lamport's bakery, as in Raynal's "Concurrent Programming": main and N - 1
 * other processes enter ROUNDS times each, for with tickets that grow for ever
 * there are infinitely many states.
 *
 * A process draws a ticket that is higher than all that it sees.  Before it
 * compares its ticket with another one, it waits until the other process has
 * finished drawing.  `inside` is a witness only: it counts those who are inside.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

bool draws[N];
int ticket[N];
int inside = 0;

void __VERIFIER_atomic_enter(void)
{
    inside++;
    assert(inside == 1);
}

void __VERIFIER_atomic_leave(int me)
{
    inside--;
    ticket[me] = 0;
}

bool goes_first(int their_ticket, int they, int my_ticket, int me)
{
    return their_ticket < my_ticket || (their_ticket == my_ticket && they < me);
}

void *process(void *arg)
{
    int me = (int)(long)arg;

    for (int round = 0; round < ROUNDS; round++) {
        int mine = 0;

        draws[me] = true;
        for (int k = 0; k < N; k++) {
            if (k != me) {
                int theirs = ticket[k];

                if (theirs > mine)
                    mine = theirs;
            }
        }
        mine++;
        ticket[me] = mine;
        draws[me] = false;

        for (int k = 0; k < N; k++) {
            int theirs;

            if (k == me)
                continue;
            while (draws[k])
                ;
            do
                theirs = ticket[k];
            while (theirs != 0 && goes_first(theirs, k, mine, me));
        }

        __VERIFIER_atomic_enter();
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
    for (int i = 1; i < N; i++)
        pthread_join(others[i], NULL);
    return 0;
}
