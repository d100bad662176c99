/* The explorer: what the report needs of it. */

#ifndef EXPLORE_H
#define EXPLORE_H

#include "graph.h"

struct location {
    const char *at;
    unsigned size;
    int is_library; /* an object of the thread library: its values are the numbers of states */
    int unwritten;  /* it has no initial value */
    uint64_t initial;
};

enum status { READY, FINISHED, STOPPED, SPINS, AWAITS_OBJECT, AWAITS_THREAD, EXITED };

#define ANY UINT64_MAX

enum check { ASSERTION, RACE, DEADLOCK };

extern enum check check;
extern struct graph now;
extern struct location locations[];
extern unsigned long long executions, blocked;

/* The thread that is being executed, and, for a thread that waits, the set of those that have to act first: bit k is
 * thread k, and one of them is not enough if they are several; or ANY, of which one may be enough. */
extern unsigned self;
extern uint64_t awaited[];

/* Whether it prints each execution. */
extern int lists;

uint64_t value_of(const struct event *e);
uint64_t loaded(const struct event *load);

/* The number of a location. Of objects of the thread library: the number of their first state, and the bytes of one. */
unsigned location(const void *at, unsigned size, int is_library, unsigned where);
uint64_t first_state(const struct location *object);
const unsigned char *state(uint64_t number);

/* The next event of the thread, if the graph has it; new ones. loading, storing: the orders of the parts of an access.
 */
struct event *known(enum kind kind, unsigned object);
struct event *add_load(unsigned order, unsigned object, int is_exclusive, int lock, unsigned where);
void add_store(unsigned order, unsigned object, struct event *load, int lock, uint64_t value, unsigned where);
void settle(struct event *load, enum progress progress, unsigned order);
unsigned loading(unsigned order);
unsigned storing(unsigned order);
unsigned stores_to(const struct graph *g, unsigned object, uint16_t *found);
void find_races_of(unsigned e);

/* Put a graph aside, to be explored later; end the execution of the thread; leave the graph. */
void save(const struct graph *g);
_Noreturn void stop(enum status why);
_Noreturn void abandon(void);

/* Explore all executions, and print what was found; does not return. */
_Noreturn void explore(enum check check, unsigned unwind);

/* Print an answer, and the graph if something is violated in it; the process ends. events: those that it is about. */
_Noreturn void report(const char *status, const char *kind, const char *text, unsigned where, const unsigned *events,
                      unsigned count);
void list(void);

#endif
