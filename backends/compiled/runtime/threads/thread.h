/* The threads of the program, as the runtime knows them. One of them runs at a time: the one with the baton. */
#ifndef CSEQ_THREAD_H
#define CSEQ_THREAD_H

#include "base.h"

/* ---- vector clocks (clocks.c) ---- */

struct cs_clock {
    uint32_t size, capacity;
    uint32_t *time; /* by number of thread */
};

/* ---- threads (registry.c) ---- */

struct cs_thread;

typedef bool (*cs_ready)(struct cs_thread *self, void *subject);

/* What a thread is about to do. */
struct cs_announced {
    enum cs_op op;
    uint8_t size, order;
    uint8_t flags; /* enum cs_entry_flag */
    uint64_t object, argument;
    uint32_t stack;
    cs_ready ready;    /* whether it can be done now; NULL: always */
    void *subject;     /* for ready */
    uint64_t deadline; /* virtual nanoseconds; CS_NEVER: it does not end by itself */
    bool sleeps;       /* it goes on only when no other thread can: sleeps, and yields in spinning loops */
};

enum cs_life { CS_NEW, CS_LIVE, CS_ENDED, CS_JOINED };

#define CS_DEPTH 512 /* frames of the shadow call stack that are kept */

#define CS_READ_LATELY 8

struct cs_thread {
    uint32_t number;
    enum cs_life life;
    bool detached, inside, cancelled, cancel_disabled, cancel_async;
    bool signalled; /* it has a signal to handle before anything else */
    uint32_t go;    /* a futex: 1 when the thread has the baton */
    int tid;        /* the kernel's number */
    pthread_t handle;
    void *(*start)(void *);
    void *argument, *result;
    struct cs_thread *creator, *joiner;
    struct cs_announced next;
    bool timed_out;        /* how the last cs_block ended */
    uint32_t entry;        /* the entry of the last operation, for cs_done */
    uint64_t operations;   /* visible ones so far */
    uint32_t sections;     /* sections in which no other thread runs, one in the other */
    uint32_t ignored;      /* how often the program has asked not to look at its accesses */
    uint32_t plain;        /* plain accesses since the last visible operation */
    uint32_t streak;       /* operations in a row without a switch */
    uint32_t stale;        /* loads in a row that read nothing new: how long it has been spinning */
    uint64_t since;        /* how many operations the run had made when its next one was announced */
    uint32_t stale_before; /* the last operation: */
    enum cs_op next_before;
    /* for strategies */
    uint64_t priority;
    uint64_t random;
    bool communicates; /* its next load was chosen to read from other threads (PCTWM) */
    /* vector clocks: what happened before, and what a fence has released or would acquire */
    struct cs_clock clock, released, acquirable;
    /* the shadow call stack, and the place of the call of a library function that is running */
    uint64_t caller;
    uint32_t depth;
    uint64_t frames[CS_DEPTH]; /* return addresses */
    uint32_t nodes[CS_DEPTH];  /* the nodes of frames, 0 where not made yet */
    uintptr_t bases[CS_DEPTH]; /* where the stack was when the hook of the frame's function was called */
    struct {
        uint64_t address, value;
    } read[CS_READ_LATELY]; /* what loads have read, by a part of the address: see stale */
    uintptr_t stack_low, stack_high;
};

/* The thread that runs, if it is one that we schedule; NULL in a program that runs without us, in a child process of
 * it, and in threads that others have made. */
extern __thread struct cs_thread *cs_self CS_HIDDEN;

/* The threads by number, and how many there are. */
extern struct cs_thread *cs_threads[CS_MOST_THREADS] CS_HIDDEN;
extern uint32_t cs_thread_count CS_HIDDEN;

/* The thread with a handle, which has not been joined; NULL if there is none. */
struct cs_thread *cs_thread_of(pthread_t handle);
/* The latest thread that had a handle: handles are used again after a thread has been joined. */
struct cs_thread *cs_latest_of(pthread_t handle);

/* Whether the thread has been cancelled and does not defend itself against it. */
bool cs_must_cancel(const struct cs_thread *self);

/* A cancellation point: does not return if the thread must end. */
void cs_cancel_point(struct cs_thread *self);

/* ---- call stacks (registry.c, stacks.c, callers.c) ---- */

/* The place of the user's call of a library function, for the record: the first frame of the next operations' stack. */
void cs_called_from(struct cs_thread *self, void *return_address);

/* Frames of the shadow call stack whose place is below `base` are gone: longjmp skips the hooks of the end. */
void cs_drop_frames(struct cs_thread *self, uintptr_t base);

/* The node of the call stacks for a thread at `pc`. */
uint32_t cs_stack(struct cs_thread *self, uint64_t pc);
uint64_t cs_caller(const struct cs_thread *self); /* what cs_called_from has set */

#define CS_LIBRARY_CALLS 16
/* The return addresses between a call at `pc` in a library without hooks and the innermost function with hooks, the
 * innermost first, in `pcs`. Returns their number. */
uint32_t cs_library_calls(struct cs_thread *self, uint64_t pc, uint64_t *pcs);

/* The beginning of a function that stands in for a real one: `self` is the running thread; if it is not ours, or the
 * runtime itself has called, the real call is what is returned. Ends with cs_leave. */
#define CS_ENTER(self, real) \
    struct cs_thread *self = cs_self; \
    if (self == NULL || self->inside) { \
        return real; \
    } \
    self->inside = true; \
    cs_drop_frames(self, (uintptr_t)__builtin_frame_address(0)); \
    cs_called_from(self, __builtin_return_address(0))

/* Leave: `value` is returned. */
#define cs_leave(self, value) ((self)->inside = false, (value))

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

/* ---- what happened before (clocks.c) ---- */

/* What is in `clock` happens before what the thread does from now on. */
void cs_acquire(struct cs_thread *self, const struct cs_clock *clock);
/* What the thread has done so far is joined into `clock`; its own time goes on. */
void cs_release(struct cs_thread *self, struct cs_clock *clock);
/* The same, but what was in `clock` is lost. */
void cs_release_only(struct cs_thread *self, struct cs_clock *clock);
void cs_clock_clear(struct cs_clock *clock);
void cs_clock_join(struct cs_clock *into, const struct cs_clock *from);
void cs_clock_copy(struct cs_clock *into, const struct cs_clock *from);
/* The clock knows of thread `number` what it did up to its `time`. */
void cs_clock_reach(struct cs_clock *clock, uint32_t number, uint32_t time);

/* Whether what thread `number` did at its `time` happens before what the clock stands for. */
static inline bool cs_before(const struct cs_clock *clock, uint32_t number, uint32_t time)
{
    return number < clock->size && time <= clock->time[number];
}

/* ---- entries of accesses (accesses.c) ---- */

/* Why an access must take the long way. */
enum cs_plain_mode {
    CS_PLAIN_NEW = 1,       /* the first one of the run */
    CS_PLAIN_SITES = 2,     /* some places are switch points */
    CS_PLAIN_DETAIL = 4,    /* all are recorded */
    CS_PLAIN_UNSETTLED = 8, /* what the last recorded store wrote is not known yet */
    CS_PLAIN_WATCHED = 16   /* writes tell that a thread gets somewhere */
};

extern uint32_t cs_plain_mode CS_HIDDEN;

/* The value of up to 8 bytes of the program's memory. */
uint64_t cs_value_at(uint64_t address, uint32_t size);

/* Complete the entry of an access that is about to be made. */
void cs_complete_access(struct cs_thread *self, uint32_t entry, const void *address, uint32_t size, bool writes);

/* What a store wrote whose hook came before it: called by the thread's next hook or library function. */
void cs_settle(void);

#endif
