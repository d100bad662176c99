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

enum status { READY, FINISHED, STOPPED, WAITS, SPINS, AWAITS_OBJECT, AWAITS_THREAD, EXITED };

#define ANY UINT64_MAX

/* HISTORY: what calls return in each execution, besides assertions and data races. */
enum check { ASSERTION, RACE, DEADLOCK, HISTORY };

/* The creations that threads are known by: the thread that creates, and how many it has created before. So a thread has
 * the same number in all graphs. Main is 0. */
struct creation {
    unsigned by, index;
};

/* A block of memory. */
struct block {
    const char *at;
    unsigned long size;
    int is_zeroed;
};

enum { MOST_BLOCKS = 64, MOST_CUTS = 64, MOST_PROCESSES = 64, MOST_STATES = 4096, MOST_BYTES = 64 };

/* What all processes share. is_over: an answer is being printed. idle: how many have no graph. given: how many events
 * the graph has that one process gives to another; 0 for none. states: the bytes of objects of the thread library. */
struct shared {
    int is_locked, is_over, is_racy;
    unsigned long long executions, blocked;
    unsigned location_count, block_count, creation_count, state_count, cuts;
    struct location locations[MOST_LOCATIONS];
    struct block blocks[MOST_BLOCKS];
    struct creation creations[MOST_THREADS];
    unsigned char states[MOST_STATES][MOST_BYTES];
    unsigned cut_at[MOST_CUTS];
    unsigned idle, given, revisited;
    struct event events[MOST_EVENTS];
};

extern struct shared *shared;
extern enum check check;

/* The thread that is being executed, and, for a thread that waits, the set of those that have to act first: bit k is
 * thread k, and one of them is not enough if they are several; or ANY, of which one may be enough. */
extern unsigned self;
extern uint64_t awaited[];

/* Whether it prints each execution. */
extern int lists;

/* The inputs that main takes first, and whether executions may end with memory that is not freed. */
enum { MOST_FORCED = 64 };
extern unsigned char forced[];
extern unsigned forced_count;
extern int finds_leaks;

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
void find_races_of(unsigned e);

/* Where the load is a new one, and something else can be done: take it back, with the graphs that were saved after
 * *mark*, and wait for a store to its location. */
struct saved;
void wait_instead(unsigned load, const struct saved *mark);

/* End the execution of the thread; leave the graph. */
_Noreturn void stop(enum status why);
_Noreturn void abandon(void);

/* Explore all executions, and print what was found; does not return. */
_Noreturn void explore(enum check check, unsigned unwind);

/* Print an answer, and the graph if something is violated in it; the process ends. events: those that it is about. */
_Noreturn void report(const char *status, const char *kind, const char *text, unsigned where, const unsigned *events,
                      unsigned count);
void list(void);

/* The calls of an execution (history.c): note which have begun and returned in the graph, what they return, and which
 * happen before others. is_stuck: those that have not returned never do. */
void note_history(int is_stuck);
void print_histories(void);

#endif
