/* The scheduler: who has the baton, the choices and the record of a run, virtual time, and the end of a run.
 * Between two calls of cs_block or cs_step, a thread runs alone.
 */
#ifndef CSEQ_SCHEDULER_H
#define CSEQ_SCHEDULER_H

#include "thread.h"

/* ---- scheduling (schedule.c) ---- */

/* Announce an operation that can always be executed; others may run first. Returns when it is the thread's turn. */
void cs_step(enum cs_op op, const void *object, uint64_t argument);

/* Announce an operation that can be executed only when ready(self, subject) holds, or from the virtual time `deadline`
 * on. Returns when it is the thread's turn: true if ready holds, false if the time is up. */
bool cs_block(enum cs_op op, const void *object, uint64_t argument, cs_ready ready, void *subject, uint64_t deadline);

/* The same with all that can be announced; the caller has filled self->next. */
bool cs_go(struct cs_thread *self);

/* Complete the entry of the last operation: its value, and whether it failed. */
void cs_done(struct cs_thread *self, uint64_t value, uint8_t flags);

/* Record an operation without giving others a chance before it. Returns its entry, or NULL where there is no room. */
struct cs_entry *cs_record(struct cs_thread *self, enum cs_op op, const void *object, uint64_t argument);

/* Choose one of the numbers in `options`, by the strategy or as prescribed. count > 0. What is recorded is the position
 * among them. */
uint32_t cs_choose(enum cs_choice_kind kind, const uint16_t *options, uint32_t count);
/* The same for the store that a load reads from, of which the first is the newest and the last is the oldest one. */
uint32_t cs_choose_store(struct cs_thread *self, const uint16_t *options, uint32_t count);
/* The same where only the first is wanted of those that a run in another mode has. */
uint32_t cs_choose_first(enum cs_choice_kind kind);

/* The thread ends: hands the baton over and does not return the baton. */
void cs_finish_thread(struct cs_thread *self);

/* End the run. Does not return. text may be NULL. */
_Noreturn void cs_end(enum cs_end end, int detail, const void *object, uint64_t other, const char *text);

/* Virtual time, in nanoseconds. */
extern uint64_t cs_now CS_HIDDEN;

void cs_await_baton(struct cs_thread *self);

/* Record at the end of a run what the threads have announced; own: that of the running thread too. */
void cs_record_pending(bool own);

/* Whether the process was started as the run itself: then a debugger stops it where the run has violated something. */
extern bool cs_debugged CS_HIDDEN;

/* ---- what the model of the system does for the scheduler ---- */

struct cs_hooks {
    /* Called where no thread can go on, before it is called a deadlock: parts that wait for the world outside. Returns
     * whether to look again. NULL: there are none. */
    bool (*wait_for_world)(void);
    /* Called before the threads that can go on are looked for: signals from outside, and alarms whose time has come. */
    void (*signals_arrive)(void);
    /* The thread was chosen, and has a signal to handle: that is what it does instead of what it has announced. */
    void (*signal_comes)(struct cs_thread *thread);
    /* Run the handler. What was announced before is announced again. */
    void (*signal_handle)(struct cs_thread *self);
};

extern struct cs_hooks cs_hooks CS_HIDDEN;

/* The virtual time of the next alarm, or CS_NEVER. */
extern uint64_t cs_alarm CS_HIDDEN;
/* The signals that have come from outside, a bit each. */
extern uint64_t cs_arrived CS_HIDDEN;

/* ---- strategies (strategies.c) ---- */

/* Called once before a run. */
void cs_strategy_begin(const struct cs_request *request);
extern uint32_t cs_earlier_entries CS_HIDDEN; /* how many the record has of the run before it */

/* Called when a thread is created. */
void cs_strategy_created(struct cs_thread *thread);

/* A write of the program's (repetition.c): only where cs_plain_mode has CS_PLAIN_WATCHED. */
void cs_repetition_write(const struct cs_thread *self, uint64_t address);

/* ---- reads without news (progress.c) ---- */

/* The thread has read a value: counts reads without news. */
void cs_note_read(struct cs_thread *self, uint64_t address, uint64_t value);

#endif
