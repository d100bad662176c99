/* States as short byte strings: equal states are equal strings, and the other way round. */

#ifndef __CSEQ_EXPLORER_PACK_H
#define __CSEQ_EXPLORER_PACK_H

#include <stddef.h>
#include <stdint.h>

/* What packed states are differences to. */
struct cs_packer {
    char *initial; /* padded to whole groups, as the copy of the last group is */
    size_t groups;
};

/* Take the current state for the initial one. */
void cs_pack_begin(struct cs_packer *packer);
void cs_pack_end(struct cs_packer *packer);

/* How long a packed state can become. */
size_t cs_packed_most(const struct cs_packer *packer);

/* Pack the current state; returns the length. */
size_t cs_pack(const struct cs_packer *packer, unsigned char *to);

/* Make a packed state the current one. Of length 0, it is the initial state. */
void cs_unpack(const struct cs_packer *packer, const unsigned char *from, size_t length);

uint64_t cs_hash(const unsigned char *bytes, size_t length);

#endif
