/* All successors of the current state.
 *
 * A successor is made by one thread, by one transition or, with the reduction, by several in a row (a superstep). Only
 * the first transition of a superstep may choose, so a leg says all that is needed to make it again. */

#ifndef __CSEQ_EXPLORER_EXPAND_H
#define __CSEQ_EXPLORER_EXPAND_H

#include "step.h"

/* *transitions* of *thread*, one after the other; the first one makes these choices. */
struct cs_leg {
    unsigned int thread, transitions, chosen;
    const struct cs_choice *choices;
};

/* What is wrong, or left out, in the state or right after it. */
enum cs_kind {
    CS_ASSERTION,
    CS_CRASH,
    CS_INVARIANT,
    CS_DEADLOCK,
    CS_RACE,
    CS_CUT_OFF,
    CS_NOT_FOLLOWED,
    CS_ENDED,
    CS_GIVEN_UP
};
struct cs_event {
    enum cs_kind kind;
    const char *text;     /* of an assertion, an invariant, a cut, a refusal; of a crash, the name of the signal */
    struct cs_leg leg[2]; /* the way there from the state: leg[0], then leg[1] */
    unsigned int legs;
    __CSEQ_set threads; /* those that are stuck or race */
};

/* CLAIM: claims about memory or arithmetic, before which a crash says nothing about them. */
enum cs_check { CS_CHECK_ASSERTION, CS_CHECK_DEADLOCK, CS_CHECK_RACE, CS_CHECK_CLAIM };

/* Who asks, and what for. */
struct cs_expander {
    struct cs_engine *engine;
    struct cs_workspace *workspace; /* copies of an expander may share it */
    void *context;                  /* for the functions below */

    enum cs_check check;
    bool reduce;          /* supersteps */
    unsigned int longest; /* of a superstep, in transitions */
    bool look_only;       /* events of the state itself, and no successors */
    bool ends;            /* also report the end of the process, and assumptions that do not hold */
    bool probe;           /* find out first which threads are enabled, whatever the other members ask for */

    /* Called for each successor, which is the current state then, and for each event. Return false for "enough". */
    bool (*successor)(struct cs_expander *self, const struct cs_leg *leg);
    bool (*event)(struct cs_expander *self, const struct cs_event *event);

    /* Whether the current state, of which *successor* was just told, is one that the search has not seen before. If
     * this is not null, a thread that disturbs no other goes on alone. Needs *reduce*. */
    bool (*is_new)(struct cs_expander *self);

    /* Called now and then where there are many choices; true for "enough". May be null. */
    bool (*tired)(struct cs_expander *self);

    /* Which of the enabled threads may go on; null for all. Needs *probe*. */
    __CSEQ_set (*allowed)(struct cs_expander *self, __CSEQ_set enabled);

    /* Set by cs_expand: */
    __CSEQ_set enabled;             /* threads that are not blocked, where these were probed */
    unsigned long long transitions; /* made so far, in all calls */
    bool looked;                    /* whether *enabled* was set */
    bool is_surprised;              /* a thread touched what it was not to touch: *is_new* has to be null */
};

/* The memory that cs_expand works in. */
struct cs_workspace *cs_workspace_new(void);
void cs_workspace_free(struct cs_workspace *workspace);

/* Report all successors and events. Afterwards the current state is what it was. Returns false after "enough". */
bool cs_expand(struct cs_expander *expander);

/* What the program offers, as far as it was made for it. */
bool cs_has_scheduler(void);
bool cs_can_reduce(void); /* false where the schedule counts, or where it is unknown what properties read */

/* What a blocked thread waits for: for each combination of choices that it has there, the argument of __CSEQ_block.
 * Where there are more than fit, count is larger. */
enum { CS_MOST_WAITS = 8 };
struct cs_waits {
    unsigned int count;
    __CSEQ_set who[CS_MOST_WAITS];
};

/* The greatest set of threads each of which is blocked and waits only for threads that are in the set or gone.
 * blocked: the threads that cannot go on. */
__CSEQ_set cs_stuck(__CSEQ_set alive, __CSEQ_set blocked, const struct cs_waits *waits);

#endif
