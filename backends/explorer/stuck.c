/* Deadlocks: which threads can never go on. pthread_stubs/deadlock.c explains the theory. */

#include "expand.h"

/* Whether no thread can let the waiting one go on. lost: the threads that will do nothing any more. */
static bool is_hopeless(const struct cs_waits *waits, unsigned long long lost, unsigned long long all)
{
    if (waits->count > CS_MOST_WAITS)
        return false;
    for (unsigned int i = 0; i < waits->count; i++) {
        unsigned long long who = waits->who[i];
        if (who == ~0ULL || (who == 0 ? lost != all : (who & lost) == 0))
            return false;
    }
    return waits->count > 0;
}

unsigned long long cs_stuck(unsigned long long alive, unsigned long long blocked, const struct cs_waits *waits)
{
    unsigned long long all = ~0ULL >> (64 - __CSEQ_most_threads);
    unsigned long long stuck = blocked, before;

    /* From the largest candidate downwards: a thread leaves it if one that is not lost can help. */
    do {
        unsigned long long lost = (stuck | ~alive) & all;
        before = stuck;
        for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
            if ((stuck >> thread & 1) && !is_hopeless(&waits[thread], lost, all))
                stuck &= ~(1ULL << thread);
    } while (stuck != before);
    return stuck;
}
