/* What is stored and matched of a state. In this order: who ran last, and at what cost, where preemptions are bounded;
 * the depth, where that is bounded; the places of the threads and the abstract state, where there is one; the packed
 * state. Where threads are interchangeable, the packed state is that with the threads sorted. If they were not, it is
 * followed by the way back, which is not matched. */

#ifndef __CSEQ_EXPLORER_KEY_H
#define __CSEQ_EXPLORER_KEY_H

#include "pack.h"
#include "step.h"

enum { CS_NOBODY = 255 };

struct cs_keys {
    struct cs_engine *engine;
    bool with_last, with_cost, with_depth;
    bool sorts; /* interchangeable threads */
    struct cs_packer packer;
    unsigned char *packed; /* room for a packed state */
    size_t most;           /* how long a key can become */
};

/* What is not a part of the state, and matched if it is asked for. */
struct cs_circumstances {
    uint32_t last, cost, depth;
};

/* The current state is taken for the initial one. */
void cs_keys_begin(struct cs_keys *keys, struct cs_engine *engine, bool with_last, bool with_cost, bool with_depth);
void cs_keys_end(struct cs_keys *keys);

/* The key of the current state; false where the program's abstraction fails. */
bool cs_key(const struct cs_keys *keys, unsigned char *to, struct cs_circumstances how, uint32_t *length,
            uint32_t *matched);

/* Make the state of a key the current one, and return who ran last. */
unsigned int cs_key_restore(const struct cs_keys *keys, const unsigned char *key, uint32_t length, uint32_t matched);

/* Whether the current state, where *last* ran last, is that of the key. */
bool cs_key_is(const struct cs_keys *keys, const unsigned char *key, uint32_t length, uint32_t matched,
               unsigned int last);

/* Threads that are interchangeable: symmetry.c. */

/* Which thread of a state becomes which one: the thread *to* takes the part of the thread from[to]. */
struct cs_sorting {
    unsigned char from[CS_MOST_THREADS];
};

/* Whether the program says which threads are interchangeable, and nothing else that it has distinguishes them. */
bool cs_knows_symmetry(void);

/* Sort the interchangeable threads of the current state. Returns false where they are in order. */
bool cs_sort(struct cs_sorting *order);

/* Exchange threads in the current state; and undo it. */
void cs_exchange(const struct cs_sorting *order);
void cs_exchange_back(const struct cs_sorting *order);

#endif
