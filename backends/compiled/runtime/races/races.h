/* Accesses of the program to its memory, and what the runtime itself does to it. */
#ifndef CSEQ_RACES_H
#define CSEQ_RACES_H

#include "scheduler.h"

/* A plain or atomic access to user memory: looks for races and for freed memory. */
void cs_access(struct cs_thread *self, uint64_t address, uint32_t size, enum cs_access_kind kind, bool atomic,
               uint64_t pc);
/* An access by a library function (memcpy, read): the place is the user's call. */
void cs_range(struct cs_thread *self, const void *address, size_t size, enum cs_access_kind kind);
/* Accesses before now are forgotten: a new block, the stack of a new thread. */
void cs_shadow_clear(uint64_t address, uint64_t size);

/* The runtime writes an atomic variable of the program, such as the byte of a guard: what the thread has done so far
 * happens before what follows an acquiring load of it. Comes before the write. */
void cs_publish(struct cs_thread *self, const void *address, uint32_t size);

#endif
