/* The explorer: what the report needs of it. */

#ifndef EXPLORE_H
#define EXPLORE_H

#include "graph.h"

struct location {
    const char *at;
    unsigned size;
    int mutex;     /* its value is 0, or one more than the thread that holds it, or UNINITIALISED */
    int unwritten; /* it has no initial value */
    uint64_t initial;
};

enum { UNINITIALISED = NONE };

enum check { ASSERTION, RACE, DEADLOCK };

/* The creations that threads are known by: the thread that creates, and how many it has created before. So a thread has
 * the same number in all graphs. Main is 0. */
struct creation {
    unsigned by, index;
};

/* A block of memory. */
struct block {
    const char *at;
    unsigned long size;
};

enum { MOST_BLOCKS = 64, MOST_CUTS = 64, MOST_PROCESSES = 64 };

/* What all processes share. is_over: an answer is being printed. idle: how many have no graph. given: how many events
 * the graph has that one process gives to another; 0 for none. */
struct shared {
    int is_locked, is_over, is_racy;
    unsigned long long executions, blocked;
    unsigned location_count, block_count, creation_count, cuts;
    struct location locations[MOST_LOCATIONS];
    struct block blocks[MOST_BLOCKS];
    struct creation creations[MOST_THREADS];
    unsigned cut_at[MOST_CUTS];
    unsigned idle, given, revisited;
    struct event events[MOST_EVENTS];
};

extern struct shared *shared;

/* Whether it prints each execution. */
extern int lists;

uint64_t value_of(const struct event *e);

/* Explore all executions, and print what was found; does not return. */
_Noreturn void explore(enum check check, unsigned unwind);

/* Print an answer, and the graph if something is violated in it; the process ends. events: those that it is about. */
_Noreturn void report(const char *status, const char *kind, const char *text, unsigned where, const unsigned *events,
                      unsigned count);
void list(void);

#endif
