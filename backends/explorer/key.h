/* What is stored and matched of a state: who ran last, and at what cost, where preemptions are bounded; at what depth,
 * where that is; the places of the threads and the abstract state, where there is one; the packed state. */

#ifndef CSEQ_EXPLORER_KEY_H
#define CSEQ_EXPLORER_KEY_H

#include "store.h"

enum { CS_NOBODY = 255 };

/* What is not a part of the state, and matched if it is asked for. */
struct cs_circumstances {
    uint32_t last, cost, depth;
};
void cs_key_begin(bool with_last, bool with_cost, bool with_depth);
size_t cs_key_most(void);

/* The key of the state in the section; false where the program's abstraction fails. */
bool cs_key(unsigned char *to, struct cs_circumstances how, uint32_t *length, uint32_t *matched);

/* Put the state of a key into the section, and tell who ran last. */
unsigned int cs_key_restore(const unsigned char *key, uint32_t length, uint32_t matched);

/* Whether the state in the section, where *last* ran last, is that of the key. */
bool cs_key_is(const unsigned char *key, uint32_t length, uint32_t matched, unsigned int last);

#endif
