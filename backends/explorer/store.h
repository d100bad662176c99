/* The states that have been seen: a hash table on records that lie one behind the other in one stretch of memory. */

#ifndef CSEQ_EXPLORER_STORE_H
#define CSEQ_EXPLORER_STORE_H

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

/* What is stored. Of two states whose first *matched* bytes are equal, one is kept. */
struct cs_state {
    const unsigned char *bytes;
    uint32_t length, matched;
    uint64_t hash;   /* of the matched bytes */
    cs_place parent; /* CS_NOWHERE for the initial state */
    uint32_t cost;   /* a state that comes again at lower cost is new */
};

enum cs_added { CS_KNOWN, CS_NEW, CS_CHEAPER, CS_FULL };

/* Begin with nothing, and forget what was there. bits: of the table of CS_BITS, as a power of two. memory: the most
 * that may be used, in bytes; 0 for no limit. with_cost: exact records have one. */
void cs_store_begin(enum cs_storing storing, unsigned int bits, size_t memory, bool with_cost);

/* Have the processor fetch what cs_store_add will look at: first the slot, and when that is there, the record. */
void cs_store_prefetch(uint64_t hash);
void cs_store_prefetch_record(uint64_t hash);

/* Add a state, unless it is there. place: where its record is (only CS_EXACT). */
enum cs_added cs_store_add(const struct cs_state *state, cs_place *place);

/* The record at a place; its bytes are good until the next cs_store_add. Returns the place behind it. */
cs_place cs_store_get(cs_place place, struct cs_state *state);

/* The place of the first record, and the one behind the last. */
cs_place cs_store_first(void);
cs_place cs_store_end(void);

/* Bytes in use, and for how many others there is no more room. */
size_t cs_store_memory(void);

/* States that were added, and of the table of CS_BITS, how many bits there are for each of them (SPIN's hash factor).
 */
uint64_t cs_store_count(void);
double cs_store_hash_factor(void);

#endif
