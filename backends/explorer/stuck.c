/* Deadlocks: which threads can never go on. pthread_stubs/deadlock.c explains the theory. */

#include "expand.h"

/* Whether no thread can let the waiting one go on. lost: the threads that will do nothing any more. */
static bool is_hopeless(const struct cs_waits *waits, __CSEQ_set lost, __CSEQ_set all)
{
    if (waits->count > CS_MOST_WAITS)
        return false;
    for (unsigned int i = 0; i < waits->count; i++) {
        __CSEQ_set who = waits->who[i];
        if (who == __CSEQ_ANY_THREAD || (who == 0 ? lost != all : (who & lost) == 0))
            return false;
    }
    return waits->count > 0;
}

__CSEQ_set cs_stuck(__CSEQ_set alive, __CSEQ_set blocked, const struct cs_waits *waits)
{
    __CSEQ_set all = __CSEQ_ANY_THREAD >> (CS_MOST_THREADS - __CSEQ_most_threads);
    __CSEQ_set stuck = blocked, before;

    /* From the largest candidate downwards: a thread leaves it if one that is not lost can help. */
    do {
        __CSEQ_set lost = (stuck | ~alive) & all;
        before = stuck;
        for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
            if ((stuck >> thread & 1) && !is_hopeless(&waits[thread], lost, all))
                stuck &= ~__CSEQ_ONLY(thread);
    } while (stuck != before);
    return stuck;
}
