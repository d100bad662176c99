/* Successors that are still to be looked up: of the state that is being expanded and, breadth-first, of those before.
 */

#ifndef __CSEQ_EXPLORER_PENDING_H
#define __CSEQ_EXPLORER_PENDING_H

#include "way.h"

struct cs_pending {
    struct cs_successor {
        struct cs_state state; /* without the bytes */
        size_t key, choices;   /* where they begin in the arrays below */
        struct cs_leg leg;     /* without the choices */
        long long metric;
        uint32_t depth, cost;
    } *successors;
    size_t count, room;
    unsigned char *keys;
    size_t keys_used, keys_room;
    struct cs_choice *choices;
    size_t choices_used, choices_room;
};

/* Room for one more successor, with its key and choices. */
struct cs_successor *cs_pending_add(struct cs_pending *all, size_t key_size, size_t choices);

/* Put them into a random order. random: as for cs_random. */
void cs_pending_shuffle(struct cs_pending *all, uint64_t *random);
void cs_pending_free(struct cs_pending *all);

#endif
