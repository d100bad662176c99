/* Random walks from the initial state on, one after the other. No state is stored: a walk is made again from its
 * number, so they are fast, and as long as the program wants. */

#ifndef __CSEQ_EXPLORER_WALKS_H
#define __CSEQ_EXPLORER_WALKS_H

#include "result.h"

struct cs_walks;

/* Begin at the current state, which is the initial one. Of the options, the seed and what is checked count. */
struct cs_walks *cs_walks_new(struct cs_engine *engine, const struct cs_options *options);

/* Go on for so many transitions. False where a violation was found: then the result has it, and how to get there. */
bool cs_walks_go_on(struct cs_walks *walks, uint64_t transitions, struct cs_result *result);

/* How far they are: number of walks, transitions, the length of the longest. */
struct cs_share cs_walks_share(const struct cs_walks *walks);

/* What is wrong with the current state, which stays: a deadlock, a race, an invariant. True where something is; *text*
 * and *threads* as in an event. enabled: the threads that can go on. */
struct cs_look {
    struct cs_expander expander;
    bool found;
    struct cs_event event;
    unsigned long long enabled;
};
void cs_look_begin(struct cs_look *look, struct cs_engine *engine, enum cs_check check);
bool cs_look(struct cs_look *look);

/* Take over a violation by the last transition, if it is one that is looked for. */
bool cs_is_violation(enum cs_check check, const struct cs_transition *made, struct cs_event *event);

#endif
