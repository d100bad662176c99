/* The states that have been seen, in memory that several processes share.
 *
 * While a layer of a breadth-first search is expanded, the records of its successors are fresh, and each belongs to the
 * first state of the layer that has it as a successor: to the one with the smallest rank. A process that comes later
 * with a smaller rank claims the record. So in the end it does not matter who came first. */

#ifndef __CSEQ_EXPLORER_TABLE_H
#define __CSEQ_EXPLORER_TABLE_H

#include "../store.h"
#include "crew.h"

/* Shared. The first three members only change while nobody adds anything. */
struct cs_table {
    uint64_t *slots; /* as in store.c: place + 1 and fingerprint; 0 is free */
    uint64_t slot_count, most_slots, grows_at;
    unsigned char *arena;
    uint64_t *used; /* bytes of each chunk of the arena, with those of the chunks after it that belong to it */
    size_t chunk, most_chunks;
    size_t suffix;                        /* bytes after what is matched */
    size_t most_memory;                   /* bytes; 0 for no limit */
    size_t others;                        /* bytes that others use of it */
    _Alignas(CS_LINE) uint64_t chunks;    /* in use */
    _Alignas(CS_LINE) uint64_t count;     /* states, and those that somebody is about to add */
    _Alignas(CS_LINE) uint64_t next_part; /* of what is done in parts */
};

/* Where a process adds records: its own chunk. Begins as zeros. */
struct cs_writer {
    cs_place first, at, end;
};

/* False where there is no memory to reserve. suffix: room after what is matched of a state. */
bool cs_table_begin(struct cs_table *table, size_t memory, size_t suffix);
void cs_table_end(struct cs_table *table);
size_t cs_table_memory(const struct cs_table *table);

/* The fetching of cs_store_prefetch and cs_store_prefetch_record. */
void cs_table_prefetch(const struct cs_table *table, uint64_t hash);
void cs_table_prefetch_record(const struct cs_table *table, uint64_t hash);

/* Make sure that there are slots for so many more; false where the table has to grow. Then add them, and say how many
 * of them were not new. */
bool cs_table_reserve(struct cs_table *table, uint64_t more);
void cs_table_release(struct cs_table *table, uint64_t unused);

/* Add the matched part of a state as a successor of the state with this rank. CS_CHEAPER: it is fresh, and belongs to
 * this rank from now on. */
enum cs_added cs_table_add(struct cs_table *table, struct cs_writer *writer, const struct cs_state *state,
                           uint64_t rank, cs_place *place);

/* Whether a state is there, and not fresh. */
bool cs_table_has_old(const struct cs_table *table, const struct cs_state *state);

/* Whether a record is fresh and belongs to this rank. */
bool cs_table_belongs(const struct cs_table *table, cs_place place, uint64_t rank);

/* It is no longer fresh. suffix: what comes after what is matched, or null for nothing. */
void cs_table_settle(struct cs_table *table, cs_place place, cs_place parent, const unsigned char *suffix);

/* The record at a place that is not fresh. */
void cs_table_get(const struct cs_table *table, cs_place place, struct cs_state *state);

/* Grow, in this order: one process begins, false where there is no memory for it; all clear their parts, of which there
 * are *parts*; one process prepares what comes next; all fill it. */
bool cs_table_grow(struct cs_table *table);
void cs_table_clear(struct cs_table *table, unsigned int part, unsigned int parts);
void cs_table_prepare(struct cs_table *table);
void cs_table_fill(struct cs_table *table);

/* Forget all states; what the writers know is void, too. */
void cs_table_empty(struct cs_table *table);

/* Memory for something else. Null where there is no more. */
void *cs_table_room(struct cs_table *table, size_t size);

#endif
