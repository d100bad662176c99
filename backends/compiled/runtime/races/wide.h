/* Atomic operations on 16 bytes: the compilers call a library for them, which need not be there. */
#ifndef CSEQ_WIDE_H
#define CSEQ_WIDE_H

#include "atomics.h"

__attribute__((target("cx16"))) static inline bool cs_wide_exchange(volatile cs_wide *address, cs_wide *expected,
                                                                    cs_wide desired)
{
    cs_wide found = __sync_val_compare_and_swap(address, *expected, desired);
    bool done = found == *expected;
    *expected = found;
    return done;
}

static inline cs_wide cs_wide_update(volatile cs_wide *address, cs_wide operand, enum cs_update update)
{
    cs_wide before = *address; /* torn values are no harm: they do not compare equal */
    while (!cs_wide_exchange(address, &before, cs_updated(update, before, operand, sizeof before))) {
    }
    return before;
}

static inline cs_wide cs_wide_load(const volatile cs_wide *address)
{
    cs_wide value = 0; /* writes the value that is there, if it is this one */
    cs_wide_exchange((volatile cs_wide *)address, &value, value);
    return value;
}

static inline void cs_wide_store(volatile cs_wide *address, cs_wide value)
{
    cs_wide_update(address, value, CS_EXCHANGE);
}

#endif
