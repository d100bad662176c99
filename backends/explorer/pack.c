/* Packing: only the bytes that differ from the initial state. Most of a state does not: memory that is not in use, or
 * addresses that never change.
 *
 * A group is 64 bytes. It has one byte that says which of its eight words differ. For each of these words there follow
 * a byte that says which of its bytes differ, and those bytes, as an exclusive or. Groups without a difference are a
 * zero and their number; at the end of a state they are left out. */

#include "pack.h"

#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "step.h"

enum { WORD = 8, GROUP = 64, MORE = 0x80 };

void cs_pack_begin(struct cs_packer *packer)
{
    size_t size = cs_state_size();

    packer->groups = (size + GROUP - 1) / GROUP;
    packer->initial = calloc(packer->groups + 1, GROUP);
    if (!packer->initial)
        abort();
    cs_state_take(packer->initial);
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

/* So many groups without a difference: seven bits to a byte, the lowest first. */
static unsigned char *pack_empty(unsigned char *to, size_t groups)
{
    if (groups == 0)
        return to;
    *to++ = 0;
    for (; groups >= MORE; groups >>= 7)
        *to++ = (unsigned char)(groups | MORE);
    *to++ = (unsigned char)groups;
    return to;
}

size_t cs_pack(const struct cs_packer *packer, unsigned char *to)
{
    unsigned char *start = to;
    size_t size = cs_state_size(), group = 0, empty = 0, count;
    const struct cs_run *runs = cs_extent(&count);

    for (size_t i = 0; i < count; i++) {
        size_t begin = runs[i].from / GROUP, end = (runs[i].to + GROUP - 1) / GROUP;
        if (group < begin) {
            empty += begin - group;
            group = begin;
        }
        for (; group < end; group++) {
            char padded[GROUP];
            const char *from = __start_cseq_state + group * GROUP, *first = packer->initial + group * GROUP;
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
            to = pack_empty(to, empty);
            empty = 0;
            to = pack_group(to, bytes, first);
        }
    }
    return (size_t)(to - start);
}

void cs_unpack(const struct cs_packer *packer, const unsigned char *from, size_t length)
{
    const unsigned char *end = from + length;
    char *to = __start_cseq_state;

    cs_state_put(packer->initial);
    while (from < end) {
        unsigned int words = *from++;
        if (words == 0) {
            size_t run = 0;
            for (unsigned int shift = 0; shift == 0 || (from[-1] & MORE); shift += 7)
                run |= (size_t)(*from++ & ~MORE) << shift;
            to += GROUP * run;
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
