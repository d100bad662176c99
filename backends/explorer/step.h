/* The engine's half of interface.h: a transition of one thread from the current state, and what became of it.
 *
 * The current state is what the section cseq_state holds. External names of the engine begin with cs_, its types and
 * constants with cs_ or CS_, so that it can be linked with what SPIN generates. */

#ifndef __CSEQ_EXPLORER_STEP_H
#define __CSEQ_EXPLORER_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "interface.h"

enum cs_outcome {
    CS_MADE,
    CS_BLOCKED,  /* the thread cannot go on; who: the threads that can help */
    CS_DROPPED,  /* an assumption does not hold */
    CS_VIOLATED, /* a claim does not hold: text */
    CS_CRASHED,  /* an invalid memory access or the like: signal */
    CS_CUT,      /* a bound, or a transition that does not end: text */
    CS_REFUSED,  /* what this family cannot follow: text */
    CS_EXITED,   /* the process has ended */
};

struct cs_touch {
    const volatile char *at;
    unsigned long size;
    unsigned int kind;
    unsigned long long sides; /* of known races, see __CSEQ_known_races */
};

struct cs_choice {
    unsigned long value, count;
};

enum { CS_MOST_THREADS = __CSEQ_SET_BITS, CS_MOST_TOUCHES = 256, CS_MOST_CHOICES = 1024 };

/* What is known about the last call of cs_make. */
struct cs_transition {
    enum cs_outcome outcome;
    const char *text;
    __CSEQ_set who;
    int signal;
    bool spurious; /* the thread has woken up spuriously */
    unsigned int touched, chosen;
    struct cs_touch touches[CS_MOST_TOUCHES];
    struct cs_choice choices[CS_MOST_CHOICES]; /* the first *scripted* are made as they stand here, all others are 0 */
    unsigned int scripted;
};

/* Texts, each of them once. */
struct cs_texts {
    unsigned int count;
    const char *text[64];
};
void cs_note(struct cs_texts *texts, const char *text);

/* Who wants to know what happens inside a transition. Any of the functions may be null. */
struct cs_listener {
    void *context;
    void (*at)(void *context, unsigned int number);
    void (*show)(void *context, unsigned int number, unsigned long long value);
    unsigned long (*pick)(void *context, unsigned long count); /* what to choose where nothing is scripted; null: 0 */
};

/* How a step is left before its end, and the clock that watches it. Only step.c uses this. */
struct cs_guard {
    void *way_out[5]; /* __builtin_setjmp: setjmp of the C library takes several times as long as an average step */
    volatile unsigned long begun, seen;
    volatile unsigned int ticks, most_ticks; /* ten a second of CPU time */
    bool astray;
    char overtime[64]; /* the text of a cut */
};

/* The engine, as step programs know it. */
struct cs_engine {
    struct cs_guard guard;
    struct cs_transition transition; /* the last one */
    struct cs_texts coarse;          /* what transitions have left out, since the engine began */
    struct cs_listener listener;
    bool stays; /* it is asked where threads are: no thread wakes up spuriously */

    /* Called where a bound cuts an execution off; may be null. */
    void (*on_cut)(const char *text);
    const char *target; /* the text of the cut that counts as a violation, or null */
};

const char *cs_signal_name(int number);
enum { CS_OUT_OF_BOUNDS = -1 }; /* in place of a signal: an index outside of its array */

/* Call this first: it empties the engine, and installs its signal handlers. patience: seconds of CPU time that a
 * transition may take. */
void cs_begin(struct cs_engine *engine, double patience);

/* Begin to watch how long transitions take: in a process that was made after cs_begin. */
void cs_begin_ticks(void);

/* Have *thread* make a transition, with the scripted choices. The current state is only good after CS_MADE. */
enum cs_outcome cs_make(struct cs_engine *engine, unsigned int thread);

/* Script the combination of choices after that of the last call; false when that was the last one. For the first
 * combination, scripted is 0. */
bool cs_next_choices(struct cs_transition *made);

/* Call a function of the program that makes no choices, under the same protection: CS_MADE, or how it failed. What the
 * last transition chose and touched stays. */
enum cs_outcome cs_protected(struct cs_engine *engine, void (*function)(void *argument), void *argument);

static inline size_t cs_state_size(void) { return (size_t)(__stop_cseq_state - __start_cseq_state); }

#endif
