/* What executions end with, and whether they can come to an end. */

#ifndef __CSEQ_EXPLORER_ENDINGS_H
#define __CSEQ_EXPLORER_ENDINGS_H

#include <stdbool.h>

#include "../interface.h"
#include "../store.h"

/* The values of the object __CSEQ_collected, each of them once. */
struct cs_collection {
    unsigned char *values; /* one after the other, each as long as the object */
    size_t count, room;
    size_t *table, slots; /* number of a value + 1; 0 is free */
};

/* Add the value that the object has in the current state. Needs a program that has one. */
void cs_collect(struct cs_collection *collection);

/* The object's size in bytes; 0 where the program has none. */
size_t cs_collected_size(void);

/* The states that were expanded, and the transitions between them. */
struct cs_graph;

struct cs_graph *cs_graph_new(void);
void cs_graph_free(struct cs_graph *graph);

/* A state is expanded in which these threads are alive; and *thread* leads from one state to another. */
void cs_graph_state(struct cs_graph *graph, cs_place place, __CSEQ_set alive);
void cs_graph_step(struct cs_graph *graph, cs_place from, cs_place to, unsigned int thread);

/* A state from which others cannot come to their end if *stopped* makes no transition any more, or, where that is
 * CS_NO_THREAD, whatever happens. */
enum { CS_NO_THREAD = 255 };
struct cs_trap {
    cs_place place;
    unsigned int stopped;
    __CSEQ_set others; /* those that are alive */
};

/* Look for a trap, of those that were found first. Threads end when they are not alive any more. Main is never stopped,
 * and it is no matter whether it ends. The graph has to be complete. */
bool cs_graph_trap(struct cs_graph *graph, struct cs_trap *trap);

size_t cs_graph_memory(const struct cs_graph *graph); /* bytes in use */

#endif
