/* The states that wait to be expanded, and in which order that happens. */

#ifndef __CSEQ_EXPLORER_FRONTIER_H
#define __CSEQ_EXPLORER_FRONTIER_H

#include "result.h"

/* A state that waits: a number that means something to the search only. */
struct cs_waiting {
    uint64_t what;
    uint32_t depth;
    uint32_t cost;
};

struct cs_frontier {
    enum cs_order order;
    uint64_t seed, ages, count;

    /* All orders but the heuristic one: the states that wait are those from first to end - 1. */
    struct cs_line {
        struct cs_waiting *waiting;
        size_t first, end, room;
    } *lines; /* by cost; a single one without iterative context bounding */
    size_t line_count, current;

    /* The heuristic order, and the beam: so many were taken at this depth. */
    uint64_t width, taken;
    uint32_t depth;
    struct cs_item {
        struct cs_waiting waiting;
        long long metric;
        uint64_t age;
    } *heap;
    size_t heap_count, heap_room;
};

void cs_frontier_begin(struct cs_frontier *frontier, enum cs_order order, uint64_t seed);
void cs_frontier_end(struct cs_frontier *frontier);

/* metric: for the heuristic order and the beam, larger ones come first. */
void cs_frontier_add(struct cs_frontier *frontier, struct cs_waiting waiting, long long metric);

/* False when none waits. */
bool cs_frontier_take(struct cs_frontier *frontier, struct cs_waiting *waiting);

/* Bytes in use. */
size_t cs_frontier_memory(const struct cs_frontier *frontier);

/* Another random number; the same ones for the same seed. */
uint64_t cs_random(uint64_t *seed);

#endif
