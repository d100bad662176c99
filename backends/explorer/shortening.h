/* Make an execution that violates something easier to read: fewer context switches, and then fewer transitions. */

#ifndef __CSEQ_EXPLORER_SHORTENING_H
#define __CSEQ_EXPLORER_SHORTENING_H

#include "result.h"

/* Put another execution with the same violation into the place of that in *result*, if one with fewer switches or as
 * many and fewer transitions is found. The current state is the initial one, and is so afterwards. transitions,
 * seconds: what may be spent on that. */
void cs_shorten(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result,
                uint64_t transitions, double seconds);

#endif
