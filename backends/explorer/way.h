/* The ways from the initial state to others: those to stored states are found again from record to record, those to
 * states that only wait are kept with them. */

#ifndef __CSEQ_EXPLORER_WAY_H
#define __CSEQ_EXPLORER_WAY_H

#include "key.h"
#include "result.h"

/* The last leg of a way; kept as long as a state to which it leads waits. */
struct cs_way {
    struct cs_way *before;
    unsigned int users, thread, transitions, chosen;
    struct cs_choice choices[];
};

/* A state that waits and is not stored. */
struct cs_open {
    struct cs_way *way;
    uint32_t length, matched;
    unsigned char key[];
};

/* The state with the key of *state*, to which *leg* leads from *parent*. parent: null for the initial state. memory:
 * what all of them use, in bytes. */
struct cs_open *cs_open_new(struct cs_open *parent, const struct cs_leg *leg, const struct cs_state *state,
                            size_t *memory);
void cs_open_free(struct cs_open *open, size_t *memory);

/* Add the way to the state. */
void cs_retrace_open(const struct cs_open *open, struct cs_schedule *schedule);

/* Add the way to the state of the record at *last*. expander: how its successors were made. */
void cs_retrace_record(const struct cs_expander *expander, const struct cs_keys *keys, const struct cs_store *store,
                       cs_place last, struct cs_schedule *schedule);

/* Make room for *needed* elements of *size* bytes in a growing array, which has room for *room*. */
void *cs_grow(void *array, size_t needed, size_t *room, size_t size);
static inline void *cs_enough_room(void *array, size_t needed, size_t *room, size_t size)
{
    return needed <= *room ? array : cs_grow(array, needed, room, size);
}

#endif
