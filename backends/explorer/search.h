/* A search: expand a state that waits, add its successors to those that have been seen, have the new ones wait. It goes
 * on where it stopped, so several can take turns. */

#ifndef __CSEQ_EXPLORER_SEARCH_H
#define __CSEQ_EXPLORER_SEARCH_H

#include "result.h"

struct cs_search;

/* Begin at the current state, which is the initial one. The options and the result have to live as long. */
struct cs_search *cs_search_new(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result);

/* Go on for so many transitions, or a few more. True where there is more to do; otherwise the result is filled in. */
bool cs_search_go_on(struct cs_search *search, uint64_t transitions);

/* Give all memory back, and make the initial state the current one. */
void cs_search_free(struct cs_search *search);

size_t cs_search_memory(const struct cs_search *search);        /* bytes in use */
uint64_t cs_search_states(const struct cs_search *search);      /* seen so far */
uint64_t cs_search_transitions(const struct cs_search *search); /* made so far */

bool cs_search_reduces(const struct cs_search *search); /* whether it makes supersteps */

/* Whether a search that has reached a bound could go on: nothing was left out. */
bool cs_search_is_whole(const struct cs_search *search);

#endif
