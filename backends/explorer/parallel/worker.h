/* What a process does of a breadth-first search that several share: `layers.c` says how they go together. */

#ifndef __CSEQ_EXPLORER_WORKER_H
#define __CSEQ_EXPLORER_WORKER_H

#include "../key.h"
#include "../pending.h"
#include "../result.h"
#include "crew.h"
#include "layers.h"
#include "notes.h"
#include "table.h"

enum cs_work {
    CS_EXPAND,  /* the states of the layer */
    CS_CHOOSE,  /* which of the successors that this process has added or claimed belong to it in the end */
    CS_LINE_UP, /* these for the next layer */
    CS_CLEAR,   /* its part of the table, */
    CS_FILL,    /* and fill it again */
    CS_BEGIN_AGAIN,
};

/* Why the search stops at a state. */
enum cs_stop { CS_FOUND, CS_SURPRISED, CS_STOPPED, CS_STOPS };

/* Why it stops anywhere. */
enum cs_halt { CS_GOES_ON, CS_NO_MEMORY, CS_NO_TIME, CS_IS_LOST, CS_ANSWERED };

/* Successive states of a layer, and what came of them. */
struct cs_block {
    uint64_t successors, steps, final;
    uint64_t kept; /* successors that belong to it */
};

struct cs_shared {
    struct cs_crew crew;
    struct cs_table table;
    unsigned int processes;
    bool alone;       /* threads may go on alone */
    uint64_t attempt; /* number of searches before this one that assumed too much */

    /* The layer: places of records, by rank; and that of the next one. */
    uint64_t *queue, *next;
    struct cs_block *blocks;
    size_t most, most_blocks; /* how long they can become */
    uint64_t size, depth, block_size;
    _Alignas(CS_LINE) uint64_t next_block;
    /* The state with the smallest rank at which the search stops, and why: the rank times CS_STOPS, and a cs_stop. */
    _Alignas(CS_LINE) uint64_t stop;
    uint32_t halt, wants_room;
    struct cs_notes *notes; /* of each process */
};

/* A successor that this process has added or claimed: where its record is, and how far its parent is from the first
 * state of the block. */
struct cs_claimed {
    uint64_t place : 40, offset : 24;
};
enum { CS_LARGEST_BLOCK = 256 };

struct cs_worker {
    struct cs_shared *shared;
    const struct cs_options *options;
    unsigned int number; /* 0 for the leader */
    uint32_t taken;
    struct cs_staff *staff;         /* of the leader */
    bool leads;                     /* the others expand the same layer */
    const struct cs_others *others; /* or null */
    double started, next_progress;  /* as cs_now */

    struct cs_expander expander;
    struct cs_keys keys;
    struct cs_pending pending;
    struct cs_writer writer;
    struct cs_texts cuts, limits;
    unsigned int coarse;              /* so many of the engine's texts have been noted */
    void (*on_cut)(const char *text); /* the engine's, before */
    uint64_t rank, successors, expanded;
    struct cs_block *block, *unused;

    /* Of this layer: the claims; where those of each block begin; and the suffixes of their states, with a byte before
     * each that says whether there is one. */
    struct cs_claimed *claims;
    size_t claim_count, claim_room;
    struct cs_run_of_claims {
        uint64_t block;
        size_t first;
    } *runs;
    size_t run_count, run_room;
    unsigned char *suffixes;
    size_t suffix_room;

    bool replays; /* the state at which the search stopped is expanded once more */
    bool is_found, is_stopped;
    struct cs_event found;
    struct cs_schedule found_legs;
};

/* Begin as the leader, with the current state as the initial one; false where there is no memory to share. */
bool cs_worker_begin(struct cs_worker *worker, struct cs_engine *engine, const struct cs_options *options,
                     struct cs_shared *shared);
void cs_worker_end(struct cs_worker *worker);

/* Have the initial state be the layer. */
void cs_worker_put_initial(struct cs_worker *worker);

static inline uint64_t cs_stop_rank(const struct cs_shared *shared)
{
    return __atomic_load_n(&shared->stop, __ATOMIC_RELAXED) / CS_STOPS;
}

/* claims.c: the successor belongs to its parent, as far as is known now; and what CS_CHOOSE and CS_LINE_UP ask for. */
void cs_claim(struct cs_worker *worker, const struct cs_successor *next, cs_place place);
void cs_choose(struct cs_worker *worker);
void cs_line_up(struct cs_worker *worker);

/* Do a part of the work. */
void cs_work(struct cs_worker *worker, enum cs_work what);

/* Expand the state with this rank once more: sets *is_found* and the like. Returns how many transitions that takes. */
uint64_t cs_worker_replay(struct cs_worker *worker, uint64_t rank);

/* Of the leader: have all do something, and wait. False where a worker is lost. */
bool cs_together(struct cs_worker *leader, enum cs_work what);

/* Of the leader: there is too little room in the table. */
void cs_make_room(struct cs_worker *leader);

/* What a worker does all its life. */
void cs_worker_serve(void *leader, unsigned int number);

#endif
