/* The states that have been seen: a hash table, and records one after the other in a single stretch of memory. */

#ifndef __CSEQ_EXPLORER_STORE_H
#define __CSEQ_EXPLORER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_storing {
    CS_EXACT,   /* all of a state */
    CS_COMPACT, /* a hash of 64 bits */
    CS_BITS,    /* some bits of a table of fixed size */
};

/* Where a record begins. */
typedef uint64_t cs_place;
#define CS_NOWHERE (~(cs_place)0)

struct cs_store {
    enum cs_storing storing;
    size_t most_memory;
    uint64_t count;
    size_t cost_size;

    /* Slots: place + 1 and fingerprint, or with CS_COMPACT the hash, or with CS_BITS 64 bits; 0 is free. */
    uint64_t *table;
    uint64_t slots, grows_at; /* at this count, the table grows */

    unsigned char *arena;
    size_t arena_used, arena_room;
};

/* What is stored. Of two states whose first *matched* bytes are equal, one is kept. */
struct cs_state {
    const unsigned char *bytes;
    uint32_t length, matched;
    uint64_t hash;   /* of the matched bytes */
    cs_place parent; /* CS_NOWHERE for the initial state */
    uint32_t cost;   /* a state that comes again at lower cost is new */
};

enum cs_added { CS_KNOWN, CS_NEW, CS_CHEAPER, CS_FULL };

/* Begin with nothing. bits: of the table of CS_BITS, as a power of two. memory: the most that may be used, in bytes; 0
 * for no limit. with_cost: exact records have one. */
void cs_store_begin(struct cs_store *store, enum cs_storing storing, unsigned int bits, size_t memory, bool with_cost);
void cs_store_end(struct cs_store *store);

/* Have the processor fetch what cs_store_add will look at: first the slot and, when that is there, the record. */
void cs_store_prefetch(const struct cs_store *store, uint64_t hash);
void cs_store_prefetch_record(const struct cs_store *store, uint64_t hash);

/* Add a state, unless it is there. place: where its record is (only CS_EXACT). */
enum cs_added cs_store_add(struct cs_store *store, const struct cs_state *state, cs_place *place);

/* The place of a state, or CS_NOWHERE; only CS_EXACT. */
cs_place cs_store_find(const struct cs_store *store, const struct cs_state *state);

/* The record at a place; its bytes are good until the next cs_store_add. Returns the place after it. */
cs_place cs_store_get(const struct cs_store *store, cs_place place, struct cs_state *state);

/* The place of the record that will be added next; the first one is at 0. */
cs_place cs_store_next(const struct cs_store *store);

/* Bytes in use. */
size_t cs_store_memory(const struct cs_store *store);

/* With CS_BITS: how many bits the table has for each state that was added (SPIN's hash factor). */
double cs_store_hash_factor(const struct cs_store *store);

#endif
