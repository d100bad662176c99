/* Two threads count to 9 each. Macros of the tests define what the program has besides its steps. */
#define THREADS 2
#define BEGIN {1, 1}
#include "steps.h"

STATE signed char count[2];

static void step(unsigned int thread)
{
    if (count[thread] == 9) {
        END(thread);
        return;
    }
    WRITE(count[thread]);
    count[thread]++;
}

#ifdef INVARIANT
const char *__CSEQ_invariant(void) { return count[0] + count[1] == INVARIANT ? "the sum" : 0; }
#endif
#ifdef WATCHED
const unsigned int __CSEQ_watched_count = 1;
const struct __CSEQ_watch __CSEQ_watched[] = {{{WATCHED}, 1}};
#endif
#ifdef ABSTRACT
unsigned int __CSEQ_abstract(unsigned char *to, unsigned int most)
{
    to[0] = (unsigned char)(count[0] / 5 + 10 * at[0]);
    to[1] = (unsigned char)(count[1] / 5 + 10 * at[1]);
    return most < 2 ? 0 : 2;
}
#endif
#ifdef METRIC
long long __CSEQ_metric(void) { return METRIC; }
#endif
#ifdef RUNNABLE
/* The thread with the largest number comes first. */
unsigned long long __CSEQ_runnable(unsigned long long enabled) { return enabled & 2 ? 2 : RUNNABLE; }
#endif
#ifdef CRASH
static const char *const *volatile nowhere;
const char *__CSEQ_invariant(void) { return *nowhere; }
#endif
