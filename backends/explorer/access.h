/* The accesses that threads make from a state on, which of them are in conflict, and those that they may still make. */

#ifndef __CSEQ_EXPLORER_ACCESS_H
#define __CSEQ_EXPLORER_ACCESS_H

#include "expand.h"

enum { CS_NO_BRANCH = ~0u };

/* One access. A branch is a superstep: its thread, and what the first transition chose. */
struct cs_access {
    struct cs_touch touch;
    unsigned int branch, before; /* how many transitions of the branch come first */
    bool last;                   /* made by the last transition of its superstep */
    bool possible;               /* the thread is not blocked before it */
};

/* The accesses of all threads, and the branches. Begins as zeros. */
struct cs_accesses {
    struct cs_access_table {
        struct cs_access *access;
        unsigned int count, room;
    } tables[CS_MOST_THREADS];
    struct cs_branch { /* what the first transition chose */
        unsigned int first, chosen;
    } *branches;
    unsigned int branch_count, branch_room;
    struct cs_choice *choices;
    unsigned int choice_count, choice_room;
};
void cs_accesses_free(struct cs_accesses *accesses);

/* How a transition goes with what the other threads do. */
enum cs_agreement {
    CS_INDEPENDENT,
    CS_ONLY_LAST, /* in conflict with what is last in the other supersteps */
    CS_NOT_AT_ALL,
};

/* Forget what all threads do; what *thread* does. */
void cs_forget_accesses(struct cs_accesses *accesses);
void cs_forget_thread(struct cs_accesses *accesses, unsigned int thread);

/* Make all that is remembered of *thread* the accesses of the transition *made*. */
void cs_recall(const struct cs_accesses *accesses, unsigned int thread, struct cs_transition *made);

/* A new branch, with the choices of the transition *made*. */
unsigned int cs_new_branch(struct cs_accesses *accesses, const struct cs_transition *made);
struct cs_leg cs_branch_leg(const struct cs_accesses *accesses, unsigned int thread, unsigned int branch,
                            unsigned int transitions);

/* Where an access is made, or tried: the thread, and the transition, as number *before* of its branch. */
struct cs_occasion {
    unsigned int thread, branch, before;
    bool possible;
};

/* Remember the accesses of the transition *made*. Earlier accesses of the branch are no longer the last ones. */
void cs_remember(struct cs_accesses *accesses, struct cs_occasion when, const struct cs_transition *made);

/* Compare the transition *made* by *thread* with what is known of the other threads. Where an access of theirs makes a
 * data race with it, sets *race* to that and *racer* to its thread. */
enum cs_agreement cs_compare(const struct cs_accesses *accesses, unsigned int thread, const struct cs_transition *made,
                             const struct cs_access **race, unsigned int *racer);

/* Whether first accesses of two threads make a data race. */
bool cs_first_race(const struct cs_accesses *accesses, unsigned int *one, unsigned int *other);

/* Whether the transition *made* may write what invariants and propositions read. */
bool cs_writes_watched(const struct cs_transition *made);

/* alone.c: whether a transition can be made alone, as nothing that any other thread may still do has to be tried before
 * it. What threads may still touch, as __CSEQ_may_read and __CSEQ_may_write say it. */
struct cs_future {
    unsigned long long reads, writes;
};

/* Whether the program says what its threads may still touch. */
bool cs_knows_futures(void);

/* What the threads in the set *alive* may still touch in the current state, without *thread*. */
struct cs_future cs_future_of_others(__CSEQ_set alive, unsigned int thread);

/* What a transition has touched: everything, or these objects. */
struct cs_touched {
    bool everything;
    struct cs_future objects;
};
struct cs_touched cs_touched(const struct cs_transition *made);

/* Whether what is touched is in no conflict with what *others* may still touch. */
bool cs_is_apart(const struct cs_touched *touched, struct cs_future others);

/* Whether the thread that stood at *place* was to touch all of these objects. */
bool cs_was_expected(const struct cs_touched *touched, unsigned int place);

#endif
