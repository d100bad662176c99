/* Two dining philosophers, and a third thread that goes on for ever. With BUG they take the forks crosswise. */
#define THREADS 3
#define BEGIN {1, 1, 1}
#include "steps.h"

STATE signed char fork[2], turn;

static void step(unsigned int thread)
{
    unsigned int first = 0;

#ifdef BUG
    first = thread;
#endif
    if (thread == 2) {
        ATOMIC(turn);
        turn = !turn;
        return;
    }
    switch (at[thread]++) {
    case 1:
        LOCK(fork[first], thread);
        break;
    case 2:
        LOCK(fork[1 - first], thread);
        break;
    case 3:
        UNLOCK(fork[1 - first]);
        break;
    case 4:
        UNLOCK(fork[first]);
        at[thread] = 1;
    }
}
