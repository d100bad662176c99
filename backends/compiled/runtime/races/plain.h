/* Plain accesses: what their hooks share with library functions that access memory. */
#ifndef CSEQ_PLAIN_H
#define CSEQ_PLAIN_H

#include "thread.h"

/* Whether a plain access at `pc` is a switch point. */
bool cs_is_site(uint64_t pc);

/* Announce an access of the program and record it. Returns when it is the thread's turn. */
void cs_plain_step(struct cs_thread *self, enum cs_op op, const void *address, uint32_t size, uint64_t pc);

#endif
