/* What the engine was asked for, and what it reports at the end. */

#ifndef __CSEQ_EXPLORER_RESULT_H
#define __CSEQ_EXPLORER_RESULT_H

#include <stdint.h>

#include "endings/endings.h"
#include "expand.h"
#include "store.h"

enum cs_order { CS_BFS, CS_DFS, CS_RANDOM, CS_HEURISTIC, CS_ICB, CS_AUTO, CS_BEAM };

enum { CS_MOST_STOPS = 4, CS_MOST_FORCED = 64 };

struct cs_options {
    /* Cuts that end the search. */
    const char *stops[CS_MOST_STOPS];

    enum cs_order order;
    enum cs_storing storing;
    unsigned int bits; /* of the table of CS_BITS, as a power of two */
    uint64_t seed;
    size_t memory;        /* bytes; 0 for no limit */
    double seconds;       /* 0 for no limit */
    uint64_t transitions; /* a search to its end makes about so many at most; 0 for no limit */
    int preemptions;      /* at most so many; negative for any number */
    unsigned int depth;   /* at most so many supersteps, or transitions; 0 for any number */
    unsigned int longest; /* superstep, in transitions; 0 for the default */
    bool reduce, alone;   /* supersteps; threads that go on alone (alone.c) */
    bool symmetry;        /* interchangeable threads (symmetry.c) */
    uint64_t width; /* CS_BEAM: how many states of the same depth are expanded, those that are nearest to a claim */
    uint64_t turn;  /* CS_AUTO: transitions of the first turn; with an outline, of all; 0 for the default */
    bool shuffles;  /* successors are taken in random order */
    enum cs_check check;
    double progress;      /* seconds between the lines on standard error that say how far it is; 0 for none */
    double patience;      /* seconds of CPU time for one transition */
    const char *simulate; /* roundrobin, random, or null */
    const char *follow;   /* a file with a schedule, or null */
    const char *guide;    /* a file with the outline of an execution, or null */
    const char *target;   /* the cut to look for, as if it were a violation, or null */
    const char *stand;    /* threads whose next transitions are printed at its end, or null */
    unsigned int jobs;    /* processes that work on the search at the same time */
    uint64_t together;    /* states of a layer that are enough for several processes; 0 for the default */
    bool shares;          /* what several processes do, even where there is only one */
    const char *collect;  /* the assertion at which values are collected instead, or null */
    const char *monitor;  /* a file with sequential orders, or null */
    bool traps;           /* look for states from which threads cannot come to their end */
    unsigned int forced;  /* choices of the first transitions, which are made in advance; none for 0 */
    unsigned long force[CS_MOST_FORCED];
    bool has_lasso; /* whether the schedule is repeated for ever from the transition number *lasso* on */
    unsigned int lasso;
};

/* Transitions from the initial state on: the thread of each, and what it chose. */
struct cs_schedule {
    struct cs_scheduled {
        unsigned int thread, chosen;
        unsigned long *values;
    } *made;
    size_t count, room;
};
void cs_schedule_add(struct cs_schedule *schedule, const struct cs_leg *leg);
void cs_schedule_append(struct cs_schedule *schedule, const struct cs_scheduled *made); /* now owns its values */

/* What one search of several has done. */
struct cs_share {
    const char *name;
    bool found;
    uint64_t states, walks, transitions, depth; /* depth: of walks, how many transitions the longest one has made */
    uint64_t seed;
};

enum { CS_MOST_SHARES = 8 };
struct cs_result {
    const char *status; /* safe, violated, unknown, refused, memory, time, error */
    enum cs_kind kind;  /* of a violation */
    const char *text;
    __CSEQ_set threads;
    struct cs_schedule schedule;
    bool has_schedule, has_cycle;
    size_t cycle; /* where in the schedule the part begins that is repeated for ever */
    struct cs_texts cuts, coarse, limits;
    uint64_t states, matched, transitions, steps, depth, queue, memory;
    uint64_t final; /* states without successors */
    struct cs_collection collected;
    bool is_trapped; /* what was found is a trap: the threads cannot come to their end */
    unsigned int stopped;
    double seconds;
    double hash_factor; /* see cs_store_hash_factor */
    struct cs_share shares[CS_MOST_SHARES];
    unsigned int share_count;
    unsigned int jobs;  /* processes that have worked on it */
    double cpu_seconds; /* of processes that neither are this one nor were made by it */
};

/* Print the result as one JSON object. */
void cs_report(const struct cs_options *options, const struct cs_result *result);

/* One search, or with CS_AUTO several that take turns. */
void cs_search(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result);
void cs_simulate(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result);

/* The exact execution of which the file has an outline. */
void cs_guide(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result);

/* Make the transitions of a schedule and print what happens. Returns the exit status of the engine. */
int cs_follow(struct cs_engine *engine, const struct cs_options *options);
int cs_follow_lasso(struct cs_engine *engine, const struct cs_options *options);

/* All of a file, ended by 0. */
char *cs_read_file(const char *name);

/* Read a transition of a schedule [[thread, [choice, ...]], ...] at *text*, and script its choices; false after the
 * last one. */
bool cs_read_transition(const char **text, unsigned int *thread, struct cs_transition *next);

double cs_now(void); /* seconds */
void *cs_allocate(size_t size);

#endif
