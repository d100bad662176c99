/* Thread 0 counts modulo 4 for ever, for itself. Two others count to 4, each for itself, and add 1 to a sum. All say
 * what they may still touch, so each can go on alone for a while. BUG: the sum is not to become 2. LIES: thread 0
 * touches what it has not said, which another one notices. */
#define THREADS 3
#define BEGIN {1, 2, 3}
#include "steps.h"

enum { OWN = 1, ADD = 10, GO = 11, PLACES = 12 };

STATE int x[THREADS], sum;

const unsigned long long __CSEQ_unnoticed = 0;
const struct __CSEQ_touchable __CSEQ_touchables[] = {
    {{&x[0]}, sizeof *x}, {{&x[1]}, sizeof *x}, {{&x[2]}, sizeof *x}, {{&sum}, sizeof sum}, {{at}, sizeof at}, {{0}, 0},
};
enum { SUM = 8, ENDS = 16 };
const unsigned long long __CSEQ_may_read[PLACES] = {
    [OWN] = 1, [OWN + 1] = 2 | SUM | ENDS, [OWN + 2] = 4 | SUM | ENDS, [ADD] = SUM | ENDS, [GO] = ENDS,
};
const unsigned long long __CSEQ_may_write[PLACES] = {
    [OWN] = 1, [OWN + 1] = 2 | SUM | ENDS, [OWN + 2] = 4 | SUM | ENDS, [ADD] = SUM | ENDS, [GO] = ENDS,
};

static void step(unsigned int thread)
{
    switch (at[thread]) {
    case ADD:
        ATOMIC(sum);
        sum++;
#ifdef BUG
        ASSERT(sum < 2);
#endif
        at[thread] = GO;
        break;
    case GO:
        END(thread);
        break;
    default:
        WRITE(x[thread]);
        if (thread > 0)
            ASSERT(x[thread] < 100);
#ifdef LIES
        if (thread == 1)
            __CSEQ_coarse("a coarse step");
#endif
        if (thread == 1 && x[1] == 0) {
            x[1] = 10 + 10 * (int)__CSEQ_choose(9); /* which means nothing */
            return;
        }
        x[thread] = x[thread] % 10 + (x[thread] % 10 < 4);
        if (thread > 0 && x[thread] == 4)
            at[thread] = ADD;
        if (thread > 0)
            break;
        x[0] %= 4;
#ifdef LIES
        if (x[0] == 3) {
            WRITE(x[2]);
            x[2] = 100;
        }
#endif
    }
}
