/* Signals: handlers run in the thread that has the baton, in place of its next visible operation. */
#ifndef CSEQ_SIGNALS_H
#define CSEQ_SIGNALS_H

#include <signal.h>

#include "scheduler.h"

void cs_begin_signals(void);
/* A thread has been created. */
void cs_signals_inherited(const struct cs_thread *creator, const struct cs_thread *thread);

/* Set the alarm: 0 is none. Returns the time that was left of the one before, and how often it came again. */
uint64_t cs_set_alarm(uint64_t nanoseconds, uint64_t again, uint64_t *again_before);

/* Send a signal to a thread of the program, or (NULL) to any; the thread that sends has announced it. */
void cs_signal_send(int signal, struct cs_thread *thread);
/* Handle at once what is pending for the running thread. */
void cs_signal_now(struct cs_thread *self);

#endif
