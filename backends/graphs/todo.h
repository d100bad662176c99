/* The graphs that are left to be explored, and the processes that explore them. */

#ifndef TODO_H
#define TODO_H

#include "explore.h"

/* A graph. revisited: the load that has another source than before, or 0. */
struct saved {
    struct saved *older, *newer;
    unsigned count, revisited;
    struct event events[];
};

/* The graph that was saved last by this process, or null. */
extern struct saved *newest;

/* How many processes there may be, and how many graphs the first one explores before it begins the others. */
extern unsigned most_processes, alone;

/* Make the memory that the processes share. */
void share(void);

/* A copy of the first *count* events, which is to be explored. */
struct saved *save(const struct event *events, unsigned count);

/* Forget the graphs that were saved after *mark*. */
void forget_after(const struct saved *mark);

/* Take the next graph, which the caller frees: the one that was saved last, or one of another process. Null: none is
 * left in any process; only the first one returns then. */
struct saved *take(void);

/* One process at a time is between these two. */
void lock_shared(void);
void unlock_shared(void);

/* The process ends, the first one after all others. */
_Noreturn void end_process(void);

#endif
