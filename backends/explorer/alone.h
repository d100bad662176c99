/* Whether a transition can be made alone: nothing that any other thread may still do has to be tried before it. */

#ifndef CSEQ_EXPLORER_ALONE_H
#define CSEQ_EXPLORER_ALONE_H

#include "step.h"

/* What threads may still touch, as __CSEQ_may_read and __CSEQ_may_write say it. */
struct cs_future {
    unsigned long long reads, writes;
};

/* Whether the program says what its threads may still touch. */
bool cs_knows_futures(void);

/* What the threads in the set *alive* may still touch in the current state, without *thread*. */
struct cs_future cs_future_of_others(unsigned long long alive, unsigned int thread);

/* Whether what the transition *made* touches is in no conflict with that. */
bool cs_is_apart(const struct cs_transition *made, struct cs_future others);

/* Whether *thread* was to touch in the transition *made*, from *place* on, all that it has touched. */
bool cs_was_expected(const struct cs_transition *made, unsigned int place);

#endif
