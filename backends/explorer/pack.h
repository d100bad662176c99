/* States as short byte strings: equal states are equal strings, and the other way round. */

#ifndef CSEQ_EXPLORER_PACK_H
#define CSEQ_EXPLORER_PACK_H

#include <stddef.h>
#include <stdint.h>

/* Take the state in the section for the initial one: others are packed as differences to it. */
void cs_pack_begin(void);

/* How long a packed state can become. */
size_t cs_packed_most(void);

/* Pack the state in the section; returns the length. */
size_t cs_pack(unsigned char *to);

/* Put a packed state into the section. */
void cs_unpack(const unsigned char *from, size_t length);

uint64_t cs_hash(const unsigned char *bytes, size_t length);

#endif
