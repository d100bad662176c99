/* What the parts of the runtime call of each other, and nobody else needs. */
#ifndef CSEQ_PARTS_H
#define CSEQ_PARTS_H

#include "cseq.h"

void cs_await_baton(struct cs_thread *self); /* schedule.c */
bool cs_all_prescribed(void);
/* Record at the end of a run what the threads have announced; own: that of the running thread too. */
void cs_record_pending(bool own);
extern bool (*cs_wait_for_world)(void) CS_HIDDEN;

void cs_sleep_begin(uint64_t threads); /* sleep.c */
uint32_t cs_sleep_filter(struct cs_thread **able, uint32_t count);
void cs_sleep_executes(const struct cs_thread *thread);
#define CS_LIBRARY_CALLS 16
/* The return addresses between a call at `pc` in a library without hooks and the innermost function with hooks, the
 * innermost first, in `pcs` (callers.c). Returns their number. */
uint32_t cs_library_calls(struct cs_thread *self, uint64_t pc, uint64_t *pcs);

/* Whether a thread has stopped at an assumption that does not hold (verifier.c). */
bool cs_assumed_away(void);

void cs_begin_run(void); /* server.c */

void cs_repetition_begin(void); /* repetition.c */
void cs_repetition_write(const struct cs_thread *self, uint64_t address);
void cs_repetition_announces(const struct cs_thread *self);
bool cs_all_repeat(void);

/* Wait for the run; kill it, with all that it has started, when its time is up (-1: never). Returns whether it was in
 * time. status: as of waitpid (reaping.c). */
bool cs_await_run(int run, int milliseconds, int output, int requests, int *status);
uint64_t cs_real_time(void); /* nanoseconds */

bool cs_map_shared(int file); /* alone.c: closes the file; false if it is none of a client's */
void cs_without_server(int count, char *const *arguments);
void cs_stop_at_violation(void);

struct cs_thread *cs_new_thread(struct cs_thread *creator); /* threads.c */
struct cs_thread *cs_thread_of(pthread_t handle);
/* What pthread_exit needs is loaded once for all runs: a thread that loads it in a run holds a lock of libc. */
void cs_prepare_threads(void);
void cs_begin_threads(void);

/* The running thread, for a function that stands in for one of a library and has no use for CS_ENTER; NULL if it is not
 * ours, or the runtime itself has called. */
static inline struct cs_thread *cs_enter(void *return_address)
{
    struct cs_thread *self = cs_self;
    if (self == NULL || self->inside) {
        return NULL;
    }
    self->inside = true;
    cs_called_from(self, return_address);
    return self;
}

#endif
