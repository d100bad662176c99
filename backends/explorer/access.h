/* The accesses that are made from a state on, thread by thread, and which of them are in conflict. */

#ifndef CSEQ_EXPLORER_ACCESS_H
#define CSEQ_EXPLORER_ACCESS_H

#include "expand.h"

enum { CS_NO_BRANCH = ~0u };

/* One access. A branch is a superstep: its thread, and what the first transition chose. */
struct cs_access {
    struct cs_touch touch;
    unsigned int branch, before; /* how many transitions of the branch come first */
    bool last;                   /* made by the last transition of its superstep */
    bool possible;               /* the thread is not blocked in front of it */
};

/* How a transition goes with what the other threads do. */
enum cs_agreement {
    CS_INDEPENDENT,
    CS_ONLY_LAST, /* in conflict with what is last in the other supersteps */
    CS_NOT_AT_ALL,
};

void cs_forget_accesses(void);

/* Forget what *thread* does. */
void cs_forget_thread(unsigned int thread);

/* Take all that is remembered of *thread* for accesses of the transition that was just made. */
void cs_recall(unsigned int thread);

/* A new branch, with choices like those of the transition that was just made. */
unsigned int cs_new_branch(void);
struct cs_leg cs_branch_leg(unsigned int thread, unsigned int branch, unsigned int transitions);

/* Remember what the transition that was just made accesses, or tries to. All accesses of the branch up to now are no
 * more the last ones. */
void cs_remember(unsigned int thread, unsigned int branch, unsigned int before, bool possible);

/* Compare the transition that was just made with what is known of the other threads. Sets *race* to an access that
 * makes a data race with it, and *racer* to its thread, where there is one. */
enum cs_agreement cs_compare(unsigned int thread, const struct cs_access **race, unsigned int *racer);

/* Whether first accesses of two threads make a data race. */
bool cs_first_race(unsigned int *one, unsigned int *other);

/* Whether the transition that was just made may write what invariants and propositions read. */
bool cs_writes_watched(void);

#endif
