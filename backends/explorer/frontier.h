/* The states that wait to be expanded, and in which order that happens. */

#ifndef CSEQ_EXPLORER_FRONTIER_H
#define CSEQ_EXPLORER_FRONTIER_H

#include "result.h"

/* A state that waits: a number that means something to the search only. */
struct cs_waiting {
    uint64_t what;
    uint32_t depth;
    uint32_t cost;
};

void cs_frontier_begin(enum cs_order order, uint64_t seed);

/* metric: for the heuristic order, larger ones come first. */
void cs_frontier_add(struct cs_waiting waiting, long long metric);

/* False when none waits. */
bool cs_frontier_take(struct cs_waiting *waiting);

uint64_t cs_frontier_count(void);
size_t cs_frontier_memory(void);

/* Another random number, and the same ones for the same seed. */
uint64_t cs_random(uint64_t *seed);

#endif
