/* What the strategies share among their files. */
#ifndef CSEQ_STRATEGIES_H
#define CSEQ_STRATEGIES_H

#include "scheduler.h"

#define CS_PATIENCE 6 /* loads in a row without news from which on a thread is taken to spin, at least */

enum cs_class { CS_CLASS_LOCAL, CS_CLASS_READ, CS_CLASS_WRITE, CS_CLASS_SYNC, CS_CLASS_ALL };

enum cs_class cs_class_of(enum cs_op op); /* traces.c */
/* The hash of the run is continued by an operation, or by a choice that is not of a thread. */
void cs_trace_executes(const struct cs_thread *thread);
void cs_trace_chooses(uint32_t kind, uint32_t value);

/* Choose the thread that goes on among `count` > 1 threads that can. running: the one that announced last; it is among
 * them if `stays`. */
struct cs_thread *cs_strategy_choose(struct cs_thread *const *able, uint32_t count, struct cs_thread *running,
                                     bool stays);

/* Which of `number` stores a load may read from, the first of which is the newest: some of them, from `*first` on. */
void cs_strategy_reads(struct cs_thread *self, uint32_t *first, uint32_t *number);

/* Called when an operation has been chosen to be executed. */
void cs_strategy_executes(struct cs_thread *thread);

/* A random number below `bound`, of the run's own generator. */
uint32_t cs_random(uint32_t bound);

void cs_sleep_begin(uint64_t threads); /* sleep.c */
uint32_t cs_sleep_filter(struct cs_thread **able, uint32_t count);
void cs_sleep_executes(const struct cs_thread *thread);
bool cs_dependent(const struct cs_announced *one, const struct cs_announced *other); /* sleep.c */

/* Whether threads get anywhere (progress.c). announces: the thread has completed an operation; executes: it begins one;
 * failed: the operation had no effect. */
void cs_progress_announces(const struct cs_thread *self);
void cs_progress_executes(struct cs_thread *thread);
void cs_progress_failed(struct cs_thread *self);
void cs_progress_begin(bool by_chance);
bool cs_spins(const struct cs_thread *thread);
/* All of these have been spinning for so long that they are taken to wait. */
bool cs_all_wait(struct cs_thread *const *able, uint32_t count);
/* Called for each visible operation: ends the run where it has made too many. */
void cs_progress_limit(uint64_t operations);

void cs_repetition_begin(void); /* repetition.c */
void cs_repetition_announces(const struct cs_thread *self);
bool cs_all_repeat(void);

/* Keep the threads that the user's scheduling model lets run, of those that can go on (model.c). */
uint32_t cs_model_filter(struct cs_thread **able, uint32_t count);

/* Whether the model does not let b run while a can. */
bool cs_model_prefers(const struct cs_thread *a, const struct cs_thread *b);

void cs_strategy_fair(void); /* strategies.c: from now on it is round robin */
uint64_t cs_random_wide(void);

/* Choose an object and count its operations in the record that is there, of an earlier run (selective.c). filter: the
 * threads that may go on; 0: the walk is any. */
void cs_selective_prepare(uint32_t count);
uint32_t cs_selective_filter(struct cs_thread *const *able, uint32_t count, struct cs_thread **candidates);
void cs_selective_executes(const struct cs_thread *thread);

void cs_priorities_begin(const struct cs_request *request); /* priorities.c */
void cs_priorities_created(struct cs_thread *thread);
void cs_priorities_executes(struct cs_thread *thread);
void cs_priorities_reads(struct cs_thread *self, uint32_t *first, uint32_t *number);
struct cs_thread *cs_priorities_choose(struct cs_thread *const *able, uint32_t count, struct cs_thread *running);

#endif
