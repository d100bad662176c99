/* Execution graphs: events in the order in which they were added, with reads-from and modification order.
 *
 * Event 0 is the initial write to each location. The events of a thread are in program order. */

#ifndef GRAPH_H
#define GRAPH_H

#include <stdint.h>
#include "interface.h"

enum { MOST_THREADS = 16, MOST_EVENTS = 2048, MOST_LOCATIONS = 1024, NONE = 255, NOWHERE = 65535 };

enum kind { INITIAL, LOAD, STORE, FENCE, CREATE, START, JOIN, END, CHOICE, ALLOCATE, FREE, DETACH, WAIT };

/* How far a read-modify-write is: its load is there, has been found to wait, what its step does has been chosen; it has
 * failed, it has stored. */
enum progress { PENDING, WAITING, CHOSEN, FAILED, STORED };

/* Steps that initialise or destroy have plain accesses, which are no barriers where stores are buffered. */
enum { LOCKS = 1, LOCKS_PLAINLY = 2 };

struct event {
    uint8_t kind, order, thread;
    uint8_t exclusive; /* a part of a read-modify-write */
    uint8_t progress;  /* of the load of a read-modify-write */
    uint8_t lock;      /* an access to an object of the thread library: LOCKS, or LOCKS_PLAINLY */
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

/* How many events of each thread are in a set with which all that comes before in program order is in it, too. */
typedef int16_t clock __attribute__((vector_size(2 * MOST_THREADS)));

static inline clock joined(clock a, clock b)
{
    clock more = a > b;
    return (a & more) | (b & ~more);
}

/* The accesses to a location, which the graph has. stores: in the modification order. loads: in any order. last: of
 * each thread, 0 if it has none; before that comes earlier[]. plain: how many are not atomic. */
struct accesses {
    unsigned stored, loaded, plain;
    uint16_t last[MOST_THREADS];
    uint16_t stores[MOST_EVENTS], loads[MOST_EVENTS];
};

static inline int is_access(const struct event *e) { return e->kind == LOAD || e->kind == STORE; }

/* Memory models. */
enum model { SC, TSO, PSO, C11 };

extern enum model model;
extern int cxx20; /* release sequences without later stores of the same thread (P0982) */

/* The graph that is explored now, and what is derived from it. */
extern struct graph now;
extern struct threads threads;
extern struct accesses accesses[];
extern uint16_t position[]; /* of an event in its thread */
extern uint16_t earlier[];  /* the access of the same thread to the same location before this one */
extern clock before[];      /* happens-before: the events before each one, and itself */
extern clock causes[];      /* the same for (po ∪ rf)+, with creation and joining */

/* Find the events of the threads. */
void index_threads(const struct graph *g, struct threads *t);

/* Derive everything from the graph; it uses the locations below *locations*. */
void derive(unsigned locations);

/* The same for one more event, which is the last of its thread, or has another order or source than before. A store has
 * no place then, and gets it by place_store, one in front of those from that place on. */
void extend(unsigned e);
void place_store(unsigned e, unsigned place);

/* Give the last event of its thread, a load, another order. */
void reorder(unsigned e, unsigned order);

/* Take back the last events of a thread, until it has *length*. They are the last of the graph, and stores among them
 * are the last of their locations. */
void retract(unsigned thread, unsigned length);

/* The place of the last store to the location among the events that happened, or that a load among them reads from.
 * What happens after them reads from no store before that, and stores after it. */
unsigned least_place(unsigned object, clock happened);

/* What comes before event *e* in its thread, or creates that. */
unsigned predecessor(unsigned e);

/* Whether the graph, which is coherent and atomic, has the order of all accesses that the memory model asks for. */
int is_ordered(void);

static inline int is_caused(unsigned e, clock by) { return position[e] < by[now.events[e].thread]; }

static inline int happens_before(unsigned a, unsigned b) { return a != b && is_caused(a, before[b]); }

static inline int ordered(unsigned a, unsigned b) { return happens_before(a, b) || happens_before(b, a); }

/* The last store to the location in the modification order. */
static inline unsigned last_store(unsigned object) { return accesses[object].stores[accesses[object].stored - 1]; }

/* The place in the modification order of a store, or of what a load reads from. */
static inline unsigned place_of(unsigned e)
{
    const struct event *event = &now.events[e];
    return event->kind == STORE ? event->place : now.events[event->from].place;
}

#endif
