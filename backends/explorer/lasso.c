/* Follows a schedule whose last part is repeated for ever, and prints what temporal properties depend on.
 *
 * For each state, from the initial one on, a line "q PROPOSITIONS LABELS ALIVE ENABLED": sets, as hexadecimal numbers,
 * of the propositions that hold, of the kinds of labels that threads stand in front of, and of threads. At the end "z
 * 1" where the part can be repeated: the last state is the one with which it begins, or the part is empty and nobody
 * can go on; else "z 0". Where the schedule cannot be followed, "r" and why. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"

static char *state; /* room for one */

/* The threads that can go on. */
static unsigned long long enabled_threads(void)
{
    unsigned long long alive = __CSEQ_alive(), enabled = 0;

    memcpy(state, __start_cseq_state, cs_state_size());
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++) {
        if (!(alive >> thread & 1))
            continue;
        cs_transition.scripted = 0;
        do {
            if (cs_make(thread) != CS_BLOCKED)
                enabled |= 1ULL << thread;
            memcpy(__start_cseq_state, state, cs_state_size());
        } while (!(enabled >> thread & 1) && cs_next_choices());
    }
    return __CSEQ_runnable ? __CSEQ_runnable(enabled) : enabled;
}

static void ask_propositions(void *set)
{
    for (unsigned int number = 0; number < __CSEQ_propositions; number++)
        if (__CSEQ_proposition(number))
            *(unsigned long long *)set |= 1ULL << number;
}

static unsigned long long propositions(void)
{
    unsigned long long set = 0;

    if (__CSEQ_proposition && cs_protected(ask_propositions, &set) != CS_MADE) {
        puts("r a proposition cannot be evaluated");
        exit(0);
    }
    return set;
}

static unsigned int labels(void)
{
    unsigned long long alive = __CSEQ_alive();
    unsigned int kinds = 0;

    for (unsigned int thread = 0; __CSEQ_labels && thread < __CSEQ_most_threads; thread++)
        if (alive >> thread & 1)
            kinds |= __CSEQ_labels(thread);
    return kinds;
}

/* Tell of the state, and return who can go on. */
static unsigned long long tell_state(void)
{
    unsigned long long enabled = enabled_threads();

    printf("q %llx %x %llx %llx\n", propositions(), labels(), __CSEQ_alive(), enabled);
    return enabled;
}

int cs_follow_lasso(const struct cs_options *options)
{
    char *schedule = cs_read_file(options->follow), *first = cs_allocate(cs_state_size());
    const char *at = schedule;
    unsigned int thread;
    unsigned long long enabled;
    bool ended = false;

    state = cs_allocate(cs_state_size());
    enabled = tell_state();
    for (unsigned int made = 0;; made++) {
        if (made == options->lasso)
            memcpy(first, __start_cseq_state, cs_state_size());
        if (!cs_read_transition(&at, &thread)) {
            bool same = memcmp(first, __start_cseq_state, cs_state_size()) == 0;
            printf("z %d\n", made == options->lasso ? ended || enabled == 0 : made > options->lasso && same);
            return 0;
        }
        if (ended || thread >= __CSEQ_most_threads || !(enabled >> thread & 1)) {
            puts("r a thread cannot go on that the schedule names");
            return 0;
        }
        memcpy(state, __start_cseq_state, cs_state_size());
        if (cs_make(thread) == CS_EXITED) { /* the state stays as it was */
            ended = true;
            memcpy(__start_cseq_state, state, cs_state_size());
            printf("q %llx 0 0 0\n", propositions());
        } else if (cs_transition.outcome == CS_MADE) {
            enabled = tell_state();
        } else {
            puts("r the execution ends");
            return 0;
        }
    }
}
