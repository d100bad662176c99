/* What the parts that stand in for the system share: time, signals, input and output, processes, the end. */
#ifndef CSEQ_SYSTEM_H
#define CSEQ_SYSTEM_H

#include <signal.h>
#include <time.h>

#include "scheduler.h"

/* ---- clock.c ---- */

/* The virtual time at which `clock` shows `time`: now, if that is past; CS_NEVER for NULL. */
uint64_t cs_deadline(clockid_t clock, const struct timespec *time);
bool cs_valid_time(const struct timespec *time);

void cs_yield(struct cs_thread *self);

/* Sleep until a virtual time. */
void cs_sleep(struct cs_thread *self, uint64_t until);

/* ---- futex.c, processes.c ---- */

/* The virtual time at which an interval is over; NULL is never. */
uint64_t cs_elapsed(const struct timespec *interval);

/* Called at the beginning of a run, and by each further thread when it starts. */
void cs_begin_system(void);
void cs_begin_system_of_thread(void);

/* ---- crash.c ---- */

void cs_begin_crashes(void);
void cs_begin_crashes_of_thread(void);
/* Whether the signal is one of those that report what a thread has done wrong. */
bool cs_is_fatal(int signal);

/* ---- signals.c ---- */

/* Run the program's own handler of a signal; false if it has none. It may not return. */
bool cs_program_handles(int signal, siginfo_t *info, void *context);

#endif
