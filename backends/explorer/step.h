/* One transition of one thread, from the state that is in the section, and what became of it.
 *
 * External names of the engine begin with cs_, its types and constants with cs_ or CS_, so that they can be linked with
 * what SPIN makes. */

#ifndef CSEQ_EXPLORER_STEP_H
#define CSEQ_EXPLORER_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "interface.h"

enum cs_outcome {
    CS_MADE,
    CS_BLOCKED,  /* the thread cannot go on; who says which threads can help */
    CS_DROPPED,  /* an assumption does not hold */
    CS_VIOLATED, /* a claim does not hold: text */
    CS_CRASHED,  /* an invalid memory access and the like: signal */
    CS_CUT,      /* a bound, or a transition that does not come to its end: text */
    CS_REFUSED,  /* what this family cannot follow: text */
    CS_EXITED,   /* the process has ended */
};

struct cs_touch {
    const volatile char *at;
    unsigned long size;
    unsigned int kind;
};

struct cs_choice {
    unsigned long value, count;
};

enum { CS_MOST_TOUCHES = 256, CS_MOST_CHOICES = 1024 };

/* What is known about the last call of cs_make. */
struct cs_transition {
    enum cs_outcome outcome;
    const char *text;
    unsigned long long who;
    int signal;
    unsigned int touched, chosen;
    struct cs_touch touches[CS_MOST_TOUCHES];
    struct cs_choice choices[CS_MOST_CHOICES]; /* of which *scripted* are made as they stand here, the others are 0 */
    unsigned int scripted;
};
extern struct cs_transition cs_transition;

/* Texts, each of them once. */
struct cs_texts {
    unsigned int count;
    const char *text[64];
};
void cs_note(struct cs_texts *texts, const char *text);

/* What transitions have left out on the way, since the engine began. */
extern struct cs_texts cs_coarse;

/* Those who follow a schedule are told of statements and values; null for nobody. */
extern void (*cs_tell_at)(unsigned int number);
extern void (*cs_tell_show)(unsigned int number, unsigned long long value);

/* What to choose where nothing is scripted; null for 0. */
extern unsigned long (*cs_pick)(unsigned long count);

const char *cs_signal_name(int number);
enum { CS_OUT_OF_BOUNDS = -1 }; /* in the place of a signal: an index outside of its array */

/* Call once, before anything else: signals, and how many seconds of CPU time a transition may take. */
void cs_begin(double patience);

/* Have *thread* make a transition, with the scripted choices. The state is only good behind CS_MADE. */
enum cs_outcome cs_make(unsigned int thread);

/* Script the next combination of choices behind that of the last call; false when that was the last one. For the first
 * combination, scripted is 0. */
bool cs_next_choices(void);

/* Call a function of the program that makes no choices under the same protection: CS_MADE, or how it failed. What the
 * last transition chose and touched stays. */
enum cs_outcome cs_protected(void (*function)(void *argument), void *argument);

static inline size_t cs_state_size(void) { return (size_t)(__stop_cseq_state - __start_cseq_state); }

#endif
