/* Follows a schedule whose last part is repeated for ever, and prints what temporal properties depend on.
 *
 * For each state, from the initial one on, there is a record of the sets of the propositions that hold, of the kinds of
 * labels that threads stand at, and of the threads. The last record says whether the part can be repeated. It can be if
 * it ends in the state in which it begins, or if it is empty and no thread can go on. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records.h"
#include "result.h"

#include "extent.h"

struct lasso {
    struct cs_engine *engine;
    char *state; /* room for one */
};

/* The threads that can go on. */
static __CSEQ_set enabled_threads(struct lasso *lasso)
{
    struct cs_transition *made = &lasso->engine->transition;
    __CSEQ_set alive = __CSEQ_alive(), enabled = 0;

    cs_state_take(lasso->state);
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++) {
        if (!(alive >> thread & 1))
            continue;
        made->scripted = 0;
        do {
            if (cs_make(lasso->engine, thread) != CS_BLOCKED)
                enabled |= __CSEQ_ONLY(thread);
            cs_state_put(lasso->state);
        } while (!(enabled >> thread & 1) && cs_next_choices(made));
    }
    return __CSEQ_runnable ? __CSEQ_runnable(enabled) : enabled;
}

static void ask_propositions(void *set)
{
    for (unsigned int number = 0; number < __CSEQ_propositions; number++)
        if (__CSEQ_proposition(number))
            *(unsigned long long *)set |= 1ULL << number;
}

static unsigned long long propositions(struct cs_engine *engine)
{
    unsigned long long set = 0;

    if (__CSEQ_proposition && cs_protected(engine, ask_propositions, &set) != CS_MADE) {
        puts(__CSEQ_RECORD_REFUSED " a proposition cannot be evaluated");
        exit(0);
    }
    return set;
}

static unsigned int labels(void)
{
    __CSEQ_set alive = __CSEQ_alive();
    unsigned int kinds = 0;

    for (unsigned int thread = 0; __CSEQ_labels && thread < __CSEQ_most_threads; thread++)
        if (alive >> thread & 1)
            kinds |= __CSEQ_labels(thread);
    return kinds;
}

/* The set as a hexadecimal number. */
struct number {
    char text[CS_MOST_THREADS / 4 + 1];
};
static struct number number_of(__CSEQ_set set)
{
    struct number number;
    char *at = number.text;

    for (unsigned int digit = CS_MOST_THREADS / 4; digit-- > 0;)
        *at++ = "0123456789abcdef"[(unsigned int)(set >> 4 * digit) & 15];
    *at = 0;
    return number;
}

/* Print the state, and return who can go on. */
static __CSEQ_set print_state(struct lasso *lasso)
{
    __CSEQ_set enabled = enabled_threads(lasso);

    printf(__CSEQ_RECORD_STATE " %llx %x %s %s\n", propositions(lasso->engine), labels(),
           number_of(__CSEQ_alive()).text, number_of(enabled).text);
    return enabled;
}

int cs_follow_lasso(struct cs_engine *engine, const struct cs_options *options)
{
    struct lasso lasso = {engine, cs_allocate(cs_state_size())};
    char *schedule = cs_read_file(options->follow), *first = cs_allocate(cs_state_size());
    const char *at = schedule;
    unsigned int thread;
    __CSEQ_set enabled = print_state(&lasso);
    bool ended = false;

    for (unsigned int made = 0;; made++) {
        if (made == options->lasso)
            cs_state_take(first);
        if (!cs_read_transition(&at, &thread, &engine->transition)) {
            bool same = cs_state_is(first);
            bool repeats = made == options->lasso ? ended || enabled == 0 : made > options->lasso && same;
            printf(__CSEQ_RECORD_REPEATS " %d\n", repeats);
            return 0;
        }
        if (ended || thread >= __CSEQ_most_threads || !(enabled >> thread & 1)) {
            puts(__CSEQ_RECORD_REFUSED " the schedule names a thread that cannot continue");
            return 0;
        }
        cs_state_take(lasso.state);
        if (cs_make(engine, thread) == CS_EXITED) { /* the state stays as it was */
            ended = true;
            cs_state_put(lasso.state);
            printf(__CSEQ_RECORD_STATE " %llx 0 0 0\n", propositions(engine));
        } else if (engine->transition.outcome == CS_MADE) {
            enabled = print_state(&lasso);
        } else {
            puts(__CSEQ_RECORD_REFUSED " the execution ends");
            return 0;
        }
    }
}
