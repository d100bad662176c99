#include "key.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ABSTRACT = 4096 };

void cs_keys_begin(struct cs_keys *keys, struct cs_engine *engine, bool with_last, bool with_cost, bool with_depth)
{
    *keys =
        (struct cs_keys){.engine = engine, .with_last = with_last, .with_cost = with_cost, .with_depth = with_depth};
    cs_pack_begin(&keys->packer);
    keys->most = cs_packed_most(&keys->packer) + sizeof(struct cs_circumstances) + __CSEQ_most_threads;
    if (__CSEQ_abstract)
        keys->most += MOST_ABSTRACT + 2 * __CSEQ_most_threads;
    keys->packed = malloc(keys->most);
    if (!keys->packed)
        abort();
}

void cs_keys_end(struct cs_keys *keys)
{
    cs_pack_end(&keys->packer);
    free(keys->packed);
}

/* Where the threads go on: a step that changes nothing in the abstract state is a step all the same. */
static unsigned char *write_places(unsigned char *at)
{
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++) {
        unsigned int place = __CSEQ_place(thread);
        *at++ = (unsigned char)place;
        *at++ = (unsigned char)(place >> 8);
    }
    return at;
}

struct abstract {
    unsigned char *to;
    unsigned int length;
};

static void ask_abstract(void *argument)
{
    static unsigned char made[MOST_ABSTRACT]; /* among the static data, which a program of 32 bits can point to */
    struct abstract *abstract = argument;

    abstract->length = __CSEQ_abstract(made, MOST_ABSTRACT);
    if (abstract->length <= MOST_ABSTRACT)
        memcpy(abstract->to, made, abstract->length);
}

static unsigned char *write_number(unsigned char *at, uint32_t number)
{
    memcpy(at, &number, sizeof number);
    return at + sizeof number;
}

/* The packed state, and the way back where threads are interchangeable. */
static unsigned char *write_state(const struct cs_keys *keys, unsigned char *at, unsigned char **end_of_matched)
{
    struct cs_sorting order;
    bool moves = keys->sorts && cs_sort(&order);

    if (moves)
        cs_exchange(&order);
    at += cs_pack(&keys->packer, at);
    *end_of_matched = at;
    if (moves) {
        cs_exchange_back(&order);
        memcpy(at, order.from, __CSEQ_most_threads);
        at += __CSEQ_most_threads;
    }
    return at;
}

bool cs_key(const struct cs_keys *keys, unsigned char *to, struct cs_circumstances how, uint32_t *length,
            uint32_t *matched)
{
    unsigned char *at = to, *end;

    if (keys->with_last)
        *at++ = (unsigned char)how.last;
    if (keys->with_cost)
        at = write_number(at, how.cost);
    if (keys->with_depth)
        at = write_number(at, how.depth);
    if (__CSEQ_abstract) {
        at = write_places(at);
        struct abstract abstract = {at, 0};
        if (cs_protected(keys->engine, ask_abstract, &abstract) != CS_MADE || abstract.length > MOST_ABSTRACT)
            return false;
        at += abstract.length;
        *matched = (uint32_t)(at - to);
    }
    at = write_state(keys, at, &end);
    *length = (uint32_t)(at - to);
    if (!__CSEQ_abstract)
        *matched = (uint32_t)(end - to);
    return true;
}

/* How many bytes of a key come before the packed state. */
static uint32_t front(const struct cs_keys *keys, uint32_t matched)
{
    uint32_t numbers = (uint32_t)keys->with_cost + keys->with_depth;
    return __CSEQ_abstract ? matched : keys->with_last + numbers * (uint32_t)sizeof(uint32_t);
}

unsigned int cs_key_restore(const struct cs_keys *keys, const unsigned char *key, uint32_t length, uint32_t matched)
{
    uint32_t skipped = front(keys, matched);

    if (keys->sorts && length > matched) {
        struct cs_sorting order;
        memcpy(order.from, key + matched, __CSEQ_most_threads);
        length = matched;
        cs_unpack(&keys->packer, key + skipped, length - skipped);
        cs_exchange_back(&order);
    } else
        cs_unpack(&keys->packer, key + skipped, length - skipped);
    return keys->with_last ? key[0] : CS_NOBODY;
}

bool cs_key_is(const struct cs_keys *keys, const unsigned char *key, uint32_t length, uint32_t matched,
               unsigned int last)
{
    uint32_t skipped = front(keys, matched);
    unsigned char *end;

    if (keys->with_last && key[0] != last)
        return false;
    length -= skipped;
    return write_state(keys, keys->packed, &end) - keys->packed == length
        && memcmp(keys->packed, key + skipped, length) == 0;
}
