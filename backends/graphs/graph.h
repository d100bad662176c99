/* Execution graphs: events in the order in which they were added, with reads-from and modification order.
 *
 * Event 0 is the initial write to each location. The events of a thread are in program order. */

#ifndef GRAPH_H
#define GRAPH_H

#include <stdint.h>
#include "interface.h"

enum { MOST_THREADS = 16, MOST_EVENTS = 512, WORDS = MOST_EVENTS / 64, NONE = 255 };

enum kind { INITIAL, LOAD, STORE, FENCE, CREATE, START, JOIN, END, CHOICE, ALLOCATE, FREE, DETACH, WAIT };

/* How far a read-modify-write is: its load is there, has been found to wait, what its step does has been chosen; it has
 * failed, it has stored. */
enum progress { PENDING, WAITING, CHOSEN, FAILED, STORED };

struct event {
    uint8_t kind, order, thread;
    uint8_t exclusive; /* a part of a read-modify-write */
    uint8_t progress;  /* of the load of a read-modify-write */
    uint8_t lock;      /* an access to an object of the thread library */
    uint16_t object; /* the location; of CREATE, JOIN and DETACH, the other thread, as of WAIT, which only reports have;
                        of ALLOCATE and FREE, the block */
    uint16_t from;   /* of a load: the store that it reads from; of CREATE: the start function */
    uint16_t place;  /* of a store: where it is in the modification order of its location; 0 is the initial write */
    uint32_t where;  /* the number of the instruction */
    uint64_t value;  /* of a store, an argument, or a result; of a load of the thread library, a choice */
};

struct graph {
    unsigned count;
    struct event events[MOST_EVENTS];
};

/* What is derived from a graph: for each thread, its events, the event that creates it and its end (0: none yet). */
struct threads {
    unsigned length[MOST_THREADS];
    uint16_t of[MOST_THREADS][MOST_EVENTS];
    unsigned created[MOST_THREADS], ended[MOST_THREADS];
};

typedef uint64_t set[WORDS];

static inline int has(const uint64_t *in, unsigned e) { return in[e / 64] >> e % 64 & 1; }

static inline void add(uint64_t *to, unsigned e) { to[e / 64] |= 1ULL << e % 64; }

static inline void join(uint64_t *to, const uint64_t *from, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        to[i] |= from[i];
}

static inline int is_write_to(const struct event *e, unsigned location)
{
    return e->kind == INITIAL || (e->kind == STORE && e->object == location);
}

static inline int is_access(const struct event *e) { return e->kind == LOAD || e->kind == STORE; }

/* Memory models. */
enum model { SC, C11 };

extern enum model model;
extern int cxx20; /* release sequences without later stores of the same thread (P0982) */

/* Find the events of the threads. */
void index_threads(const struct graph *g, struct threads *t);

/* Whether *g* is consistent in the memory model. Leaves happens-before for `ordered`. */
int consistent(const struct graph *g);

/* In the graph that was looked at last: whether *a* happens before *b*; whether one of them does before the other. */
int happens_before(unsigned a, unsigned b);
int ordered(unsigned a, unsigned b);

#endif
