#include "key.h"

#include <stdlib.h>
#include <string.h>

#include "pack.h"
#include "step.h"

enum { MOST_ABSTRACT = 4096 };

static bool with_last, with_cost, with_depth;

void cs_key_begin(bool last, bool cost, bool depth)
{
    with_last = last;
    with_cost = cost;
    with_depth = depth;
    cs_pack_begin();
}

size_t cs_key_most(void)
{
    return cs_packed_most() + sizeof(struct cs_circumstances)
        + (__CSEQ_abstract ? MOST_ABSTRACT + 2 * __CSEQ_most_threads : 0);
}

/* Where the threads go on: a step that changes nothing of the abstract state is a step all the same. */
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
    struct abstract *abstract = argument;
    abstract->length = __CSEQ_abstract(abstract->to, MOST_ABSTRACT);
}

static unsigned char *write_number(unsigned char *at, uint32_t number)
{
    memcpy(at, &number, sizeof number);
    return at + sizeof number;
}

bool cs_key(unsigned char *to, struct cs_circumstances how, uint32_t *length, uint32_t *matched)
{
    unsigned char *at = to;

    if (with_last)
        *at++ = (unsigned char)how.last;
    if (with_cost)
        at = write_number(at, how.cost);
    if (with_depth)
        at = write_number(at, how.depth);
    if (__CSEQ_abstract) {
        at = write_places(at);
        struct abstract abstract = {at, 0};
        if (cs_protected(ask_abstract, &abstract) != CS_MADE || abstract.length > MOST_ABSTRACT)
            return false;
        at += abstract.length;
        *matched = (uint32_t)(at - to);
    }
    at += cs_pack(at);
    *length = (uint32_t)(at - to);
    if (!__CSEQ_abstract)
        *matched = *length;
    return true;
}

/* How much of a key stands in front of the packed state. */
static uint32_t front(uint32_t matched)
{
    uint32_t circumstances = with_last + (with_cost + with_depth) * (uint32_t)sizeof(uint32_t);
    return __CSEQ_abstract ? matched : circumstances;
}

unsigned int cs_key_restore(const unsigned char *key, uint32_t length, uint32_t matched)
{
    cs_unpack(key + front(matched), length - front(matched));
    return with_last ? key[0] : CS_NOBODY;
}

bool cs_key_is(const unsigned char *key, uint32_t length, uint32_t matched, unsigned int last)
{
    static unsigned char *packed;

    if (!packed && !(packed = malloc(cs_packed_most())))
        abort();
    if (with_last && key[0] != last)
        return false;
    length -= front(matched);
    return cs_pack(packed) == length && memcmp(packed, key + front(matched), length) == 0;
}
