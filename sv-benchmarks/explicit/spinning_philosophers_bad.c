/*
 * Dining philosophers who spin on forks, after "The MCP Model Checker", 3.2.
 * Looking at a fork and taking it is one step; who finds it taken looks again
 * and again.  Nobody ever blocks, so a deadlock is that all N wait.  With LOOKS,
 * looking is counted, so that a search that only goes deeper spins for ever.
 *
 * All of them may be at the table.
 *
 *   each: takes its first fork | each: finds the second one taken, waits
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 6
#endif

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

_Bool picked_up[N];
int total_waiting;
#ifdef LOOKS
unsigned int looks;
#endif

void pick_up(int fork)
{
    _Bool taken;

    __VERIFIER_atomic_begin();
    taken = picked_up[fork];
    if (taken) {
        total_waiting++;
        assert(total_waiting < N); // FAIL
    } else {
        picked_up[fork] = 1;
    }
    __VERIFIER_atomic_end();
    while (taken) {
        __VERIFIER_atomic_begin();
        taken = picked_up[fork];
#ifdef LOOKS
        looks++;
#endif
        if (!taken) {
            total_waiting--;
            picked_up[fork] = 1;
        }
        __VERIFIER_atomic_end();
    }
}

void put_down(int fork)
{
    picked_up[fork] = 0;
}

void *philosopher(void *arg)
{
    int seat = (int)(long)arg;
    int first = seat;
    int second = (seat + 1) % N;

    for (;;) {
        pick_up(first);
        pick_up(second);
        put_down(second);
        put_down(first);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
