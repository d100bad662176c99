/* Atomic operations: what the hooks, fences and old values share. */
#ifndef CSEQ_ATOMICS_H
#define CSEQ_ATOMICS_H

#include "shadow.h"

typedef unsigned __int128 cs_wide;

enum cs_update { CS_EXCHANGE, CS_ADD, CS_SUB, CS_AND, CS_OR, CS_XOR, CS_NAND };

/* ---- atomics.c: for a thread inside of the runtime. order: as in entries. ---- */

cs_wide cs_atomic_load(struct cs_thread *self, const volatile void *address, uint32_t size, int order);
void cs_atomic_store(struct cs_thread *self, volatile void *address, uint32_t size, cs_wide value, int order);
/* Returns what was there before. */
cs_wide cs_atomic_update(struct cs_thread *self, volatile void *address, uint32_t size, enum cs_update update,
                         cs_wide operand, int order);
/* Returns whether it exchanged; *expected becomes what was there. weak: it may fail spuriously. */
bool cs_atomic_compare(struct cs_thread *self, volatile void *address, uint32_t size, cs_wide *expected,
                       cs_wide desired, int order, int failure_order, bool weak);
cs_wide cs_updated(enum cs_update update, cs_wide value, cs_wide operand, uint32_t size);

static inline bool cs_acquires(int order)
{
    return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order >= __ATOMIC_ACQ_REL;
}

static inline bool cs_releases(int order) { return order >= __ATOMIC_RELEASE; }

/* ---- weak.c: with CS_WEAK, or in an exhaustive search ---- */

/* What an entry says of the stores that the thread may not have heard of, before it reads or writes. */
uint8_t cs_weak_unheard(const struct cs_thread *self, struct cs_location *location, cs_wide newest);
/* CS_LOOSE if the newest store does not happen before what comes now, after the thread has read it; else 0. */
uint8_t cs_weak_loose(const struct cs_thread *self, const struct cs_location *location);

/* Which value a load reads; *clock becomes what it hands over. newest: what the memory has. */
cs_wide cs_weak_load(struct cs_thread *self, struct cs_location *location, cs_wide newest, int order,
                     const struct cs_clock **clock);
/* An operation that does not write has read the newest value. */
void cs_weak_read_newest(struct cs_thread *self, struct cs_location *location, cs_wide newest);
/* A store of `value`, which location->clock belongs to; made at `time` of the thread's clock. before: what was there.
 */
void cs_weak_store(struct cs_thread *self, struct cs_location *location, cs_wide before, cs_wide value, uint32_t time,
                   int order);
/* A fence that is sequentially consistent, before its thread's time goes on. */
void cs_weak_fence(struct cs_thread *self);
/* There are no older values any more. */
void cs_history_clear(struct cs_history *history);

#endif
