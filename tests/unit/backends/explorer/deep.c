/* Two threads add 1 to x, or to each other's number, COUNT times each; main joins them and makes a claim. */
#define THREADS 3
#include "steps.h"

#ifndef COUNT
#define COUNT 100
#endif

__CSEQ_STATE int number[THREADS], copy[THREADS];
STATE unsigned int made[THREADS], begun;

static void step(unsigned int thread)
{
    if (thread == 0) {
        switch (at[0]++) {
        case 1:
        case 2:
#ifdef FIBONACCI
            number[begun + 1] = 1;
#endif
            at[++begun] = 10; /* creates 1, then 2 */
            break;
        case 3:
            JOIN(1);
            break;
        case 4:
            JOIN(2);
            break;
        case 5:
            READ(number);
#ifdef FIBONACCI
            ASSERT(number[1] < FIBONACCI && number[2] < FIBONACCI);
#else
            ASSERT(number[0] == 2 * COUNT);
#endif
            END(0);
        }
        return;
    }
#ifdef FIBONACCI
    READ(number[3 - thread]);
    WRITE(number[thread]);
    number[thread] += number[3 - thread];
#elif defined BUG
    if (at[thread] == 10) {
        READ(number[0]);
        copy[thread] = number[0];
        at[thread] = 11;
        return;
    }
    WRITE(number[0]);
    number[0] = copy[thread] + 1;
    at[thread] = 10;
    copy[thread] = 0;
#else
    ATOMIC(number[0]);
    number[0]++;
#endif
    if (++made[thread] == COUNT)
        END(thread);
}

#ifdef FIBONACCI
long long __CSEQ_distance(void)
{
    int most = number[1] > number[2] ? number[1] : number[2];
    return most < FIBONACCI ? FIBONACCI - most : 0;
}
#endif
