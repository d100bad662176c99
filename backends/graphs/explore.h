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

extern struct location *locations;
extern unsigned long long executions, blocked;

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
