/* Plain accesses: what their hooks share with library functions that access memory. */
#ifndef CSEQ_PLAIN_H
#define CSEQ_PLAIN_H

#include "cseq.h"

/* Why an access must take the long way. */
enum cs_plain_mode {
    CS_PLAIN_NEW = 1,       /* the first one of the run */
    CS_PLAIN_SITES = 2,     /* some places are switch points */
    CS_PLAIN_DETAIL = 4,    /* all are recorded */
    CS_PLAIN_UNSETTLED = 8, /* what the last recorded store wrote is not known yet */
    CS_PLAIN_WATCHED = 16   /* writes tell that a thread gets somewhere */
};

extern uint32_t cs_plain_mode CS_HIDDEN;

/* Whether a plain access at `pc` is a switch point. */
bool cs_is_site(uint64_t pc);

/* Announce an access of the program and record it. Returns when it is the thread's turn. */
void cs_plain_step(struct cs_thread *self, enum cs_op op, const void *address, uint32_t size, uint64_t pc);

/* What a store wrote whose hook came before it: called by the thread's next hook or library function. */
void cs_settle(void);

#endif
