/* Breadth-first search by several processes. */

#ifndef __CSEQ_EXPLORER_LAYERS_H
#define __CSEQ_EXPLORER_LAYERS_H

#include "../result.h"

/* Others who work on the same question. */
struct cs_others {
    const uint32_t *answered;    /* not 0 once they have the answer */
    struct cs_share *share;      /* where to write down now and then how far this search is */
    size_t memory;               /* bytes that they may use */
    void (*end)(void *argument); /* called once, when the search needs their memory */
    void *argument;
};

/* Whether processes can share this search: breadth-first, exact, and without bounds on the preemptions. */
bool cs_can_share(const struct cs_options *options);

/* The search with options->jobs processes, from the current state, which is the initial one, and again at the end.
 * False where there is no memory to share, and nothing was done; or where others have the answer. */
bool cs_search_layers(struct cs_engine *engine, const struct cs_options *options, const struct cs_others *others,
                      struct cs_result *result);

#endif
