/* Packing: only the bytes that differ from the initial state. Most of a state does not: memory that is not in use, or
 * addresses that never change.
 *
 * A group is 64 bytes. It has one byte that says which of its eight words differ. For each of these words there follow
 * a byte that says which of its bytes differ, and those bytes, as an exclusive or. After a group without a difference
 * comes the number of further ones that follow it; at the end of a state they are left out. */

#include "pack.h"

#include <stdlib.h>
#include <string.h>

#include "step.h"

enum { WORD = 8, GROUP = 64 };

void cs_pack_begin(struct cs_packer *packer)
{
    size_t size = cs_state_size();

    packer->groups = (size + GROUP - 1) / GROUP;
    packer->initial = calloc(packer->groups + 1, GROUP);
    if (!packer->initial)
        abort();
    memcpy(packer->initial, __start_cseq_state, size);
}

void cs_pack_end(struct cs_packer *packer) { free(packer->initial); }

size_t cs_packed_most(const struct cs_packer *packer) { return packer->groups * (1 + 8 + GROUP) + GROUP; }

static uint64_t load(const char *from)
{
    uint64_t word;
    memcpy(&word, from, WORD);
    return word;
}

/* The top bit of each byte that is not zero. */
static uint64_t nonzero_bytes(uint64_t word)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fULL;
    return (((word & low) + low) | word) & ~low;
}

static unsigned char *pack_word(unsigned char *to, uint64_t word)
{
    uint64_t marks = nonzero_bytes(word) >> 7;

    *to++ = (unsigned char)(marks * 0x0102040810204080ULL >> 56);
    for (; marks; marks &= marks - 1)
        *to++ = (unsigned char)(word >> __builtin_ctzll(marks));
    return to;
}

static unsigned char *pack_group(unsigned char *to, const char *from, const char *first)
{
    unsigned char *mask = to++;

    *mask = 0;
    for (unsigned int i = 0; i < GROUP / WORD; i++) {
        uint64_t difference = load(from + i * WORD) ^ load(first + i * WORD);
        if (difference) {
            *mask |= (unsigned char)(1u << i);
            to = pack_word(to, difference);
        }
    }
    return to;
}

static int differs(const char *from, const char *first)
{
    uint64_t any = 0;

    for (unsigned int i = 0; i < GROUP / WORD; i++)
        any |= load(from + i * WORD) ^ load(first + i * WORD);
    return any != 0;
}

size_t cs_pack(const struct cs_packer *packer, unsigned char *to)
{
    unsigned char *start = to;
    const char *from = __start_cseq_state, *first = packer->initial;
    size_t size = cs_state_size(), groups = packer->groups, empty = 0;

    for (size_t group = 0; group < groups; group++, from += GROUP, first += GROUP) {
        char padded[GROUP];
        const char *bytes = from;
        if ((group + 1) * GROUP > size) {
            memset(padded, 0, GROUP);
            memcpy(padded, from, size - group * GROUP);
            bytes = padded;
        }
        if (!differs(bytes, first)) {
            empty++;
            continue;
        }
        while (empty > 0) {
            size_t run = empty < 256 ? empty : 256;
            *to++ = 0;
            *to++ = (unsigned char)(run - 1);
            empty -= run;
        }
        to = pack_group(to, bytes, first);
    }
    return (size_t)(to - start);
}

void cs_unpack(const struct cs_packer *packer, const unsigned char *from, size_t length)
{
    const unsigned char *end = from + length;
    char *to = __start_cseq_state;

    memcpy(to, packer->initial, cs_state_size());
    while (from < end) {
        unsigned int words = *from++;
        if (words == 0) {
            to += GROUP * (*from++ + 1);
            continue;
        }
        for (; words; words &= words - 1) {
            char *word = to + WORD * __builtin_ctz(words);
            for (unsigned int bytes = *from++; bytes; bytes &= bytes - 1)
                word[__builtin_ctz(bytes)] ^= (char)*from++;
        }
        to += GROUP;
    }
}

/* Multiply and shift, eight bytes at a time; each round is a bijection of the hash, so that nothing is lost on the way.
 * The multipliers are odd, with about half of the bits set. */
uint64_t cs_hash(const unsigned char *bytes, size_t length)
{
    uint64_t hash = 0x9e3779b97f4a7c15ULL + length, word;

    for (; length >= 8; bytes += 8, length -= 8) {
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * 0xd6e8feb86659fd93ULL;
        hash ^= hash >> 32;
    }
    if (length) {
        word = 0;
        memcpy(&word, bytes, length);
        hash = (hash ^ word) * 0xd6e8feb86659fd93ULL;
        hash ^= hash >> 32;
    }
    hash *= 0xa0761d6478bd642fULL;
    hash ^= hash >> 29;
    hash *= 0xe7037ed1a0b428dbULL;
    return hash ^ hash >> 32;
}
