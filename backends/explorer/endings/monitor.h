/* Whether calls of several threads return what some sequential order of them returns: linearizability, checked while
 * an execution goes on.
 *
 * The monitor is given the sequential orders, with what each call returns. Its state is the set of those that explain
 * the calls that have returned, each with the calls that it has besides: some that have begun and not returned. So it
 * forgets what makes no difference for what may come. A linearization point is taken to be right before some return,
 * which loses nothing (Wing and Gong, Testing and Verifying Concurrent Objects, 1993). */

#ifndef __CSEQ_EXPLORER_MONITOR_H
#define __CSEQ_EXPLORER_MONITOR_H

#include <stdbool.h>

enum { CS_MOST_CALLERS = 8 };

/* The text of the claim that the program makes then. */
#define CS_NOT_LINEARIZABLE "linearizable"

/* The object __CSEQ_collected of a program that is monitored. It asks in a call of __CSEQ_choose: first for the lower
 * eight bits of the monitor's next state, then for the others. */
struct cs_report_of_call {
    unsigned short state;
    unsigned char asks;                    /* 1, then 2; 0 where a choice is one of the program's */
    unsigned char thread;                  /* whose call returns */
    unsigned char active[CS_MOST_CALLERS]; /* whether a thread is in a call */
    int result[2];                         /* the lower and the upper half of what the call returns */
    unsigned int in_calls;                 /* the threads that are in calls, which the program has looked up: so the
                                              engine knows that a return depends on whether another call has begun */
};

/* Read the orders: a text with the number of threads in its first line, and then a line for each order: for each call
 * the thread, and what it returns. Orders that end early are orders, too. Returns false if it is no such text, or the
 * program cannot be monitored. */
bool cs_monitor_begin(const char *text);

/* Answer a choice of the program. 0: it is one of its own. 1: the answer is *value*. -1: no order explains the call.
 * -2: there are too many states. */
int cs_monitor_answer(unsigned long *value);

/* Whether some order explains the current state, in which no thread can go on: each call that has begun would wait. */
bool cs_monitor_may_block(void);

/* The calls that have returned since cs_monitor_listen, one after the other. */
struct cs_returned {
    unsigned char thread;
    unsigned int active; /* the threads that were in a call */
    long long result;
};
void cs_monitor_listen(void);
const struct cs_returned *cs_monitor_heard(unsigned int *count);

#endif
