/* Deadlocks: which threads can never go on. The theory is in pthread_stubs/deadlock.c. */

#include "expand.h"

/* Whether none of the threads that are not lost can bring about what is waited for. */
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

    /* From the largest candidate downwards: whoever can be helped by a thread that is not lost leaves it. */
    do {
        unsigned long long lost = (stuck | ~alive) & all;
        before = stuck;
        for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
            if ((stuck >> thread & 1) && !is_hopeless(&waits[thread], lost, all))
                stuck &= ~(1ULL << thread);
    } while (stuck != before);
    return stuck;
}
