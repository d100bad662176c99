/* The interface between the parts of the runtime. One thread of the program runs at a time: the one with the baton.
 *
 * A part that stands in for a function of the thread library looks like this:
 *
 *     int pthread_mutex_lock(pthread_mutex_t *mutex) {
 *         CS_ENTER(self, CS_REAL(pthread_mutex_lock)(mutex));   // not ours to schedule: the real function
 *         struct cs_object *object = cs_object(CS_KIND_MUTEX, mutex);
 *         cs_block(CS_lock, mutex, 0, is_free, object, CS_NEVER);   // others run; back when it is free and our turn
 *         object->owner = self;
 *         cs_acquire(self, &object->clock);
 *         return cs_leave(self, 0);
 *     }
 *
 * Between two calls of cs_block or cs_step, a thread runs alone. No part of the runtime calls malloc.
 */
#ifndef CSEQ_H
#define CSEQ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

#define CS_NEVER UINT64_MAX
#define CS_HIDDEN __attribute__((visibility("hidden")))
#define CS_PUBLIC __attribute__((visibility("default")))

/* The runtime is compiled with -fvisibility=hidden; CS_PUBLIC is for what programs and libraries call. */

/* ---- vector clocks (clocks.c) ---- */

struct cs_clock {
    uint32_t size, capacity;
    uint32_t *time; /* by number of thread */
};

/* ---- threads (threads.c) ---- */

struct cs_object;
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
    bool sleeps;       /* it goes on only when nobody else can: sleeps, and yields in spinning loops */
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
    void *tls_end; /* room for parts that need something per thread; set by them */
};

/* The thread that runs, if it is one that we schedule; NULL in a program that runs without us, in a child process of
 * it, and in threads that others have made. */
extern __thread struct cs_thread *cs_self CS_HIDDEN;

/* The threads by number, and how many there are. */
extern struct cs_thread *cs_threads[CS_MOST_THREADS] CS_HIDDEN;
extern uint32_t cs_thread_count CS_HIDDEN;

/* Whether the process is a run that we schedule. */
extern bool cs_active CS_HIDDEN;

/* The shared file; NULL if the process runs without us. */
extern struct cs_shared *cs_shared CS_HIDDEN;

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

/* A function that a library after us defines. All are looked up before the program begins: dlsym waits for a lock that
 * another thread may have while it runs the constructors of a library. */
struct cs_found {
    const char *name;
    void *address;
};

void *cs_real_of(struct cs_found *found);

#define CS_REAL(name) \
    (*({ \
        static struct cs_found found_ __attribute__((section("cs_reals"), used)) = {#name, NULL}; \
        (__typeof__(name) *)(found_.address != NULL ? found_.address : cs_real_of(&found_)); \
    }))

void *cs_real(const char *name);

/* The same in a static program, where there is no dynamic linker to ask; NULL in other programs. */
const void *cs_static_real(const char *name) __attribute__((weak));

/* The place of the user's call of a library function, for the record: the first frame of the next operations' stack. */
void cs_called_from(struct cs_thread *self, void *return_address);

/* Frames of the shadow call stack whose place is below `base` are gone: longjmp skips the hooks of the end. */
void cs_drop_frames(struct cs_thread *self, uintptr_t base);

/* The node of the call stacks for a thread at `pc`. */
uint32_t cs_stack(struct cs_thread *self, uint64_t pc);
uint64_t cs_caller(const struct cs_thread *self); /* what cs_called_from has set */

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
/* The same where only the first is wanted of those that a run in another mode has. */
uint32_t cs_choose_first(enum cs_choice_kind kind);

/* The thread ends: hands the baton over and does not return the baton. */
void cs_finish_thread(struct cs_thread *self);

/* End the run. Does not return. text may be NULL. */
_Noreturn void cs_end(enum cs_end end, int detail, const void *object, uint64_t other, const char *text);

/* Virtual time, in nanoseconds. */
extern uint64_t cs_now CS_HIDDEN;

/* ---- strategies (strategies.c) ---- */

/* Called once before a run. */
void cs_strategy_begin(const struct cs_request *request);

/* Choose the thread that goes on among `count` > 1 threads that can. running: the one that announced last; it is among
 * them if `stays`. */
struct cs_thread *cs_strategy_choose(struct cs_thread *const *able, uint32_t count, struct cs_thread *running,
                                     bool stays);

/* Called when a thread is created, and when an operation has been chosen to be executed. */
void cs_strategy_created(struct cs_thread *thread);
void cs_strategy_executes(struct cs_thread *thread);

/* A random number below `bound`, of the run's own generator. */
uint32_t cs_random(uint32_t bound);

/* ---- objects of the thread library (objects.c) ---- */

enum cs_kind {
    CS_KIND_NONE,
    CS_KIND_MUTEX,
    CS_KIND_RWLOCK,
    CS_KIND_SPIN,
    CS_KIND_CONDITION,
    CS_KIND_SEMAPHORE,
    CS_KIND_BARRIER,
    CS_KIND_ONCE,
    CS_KIND_GUARD,
    CS_KIND_FUTEX,
    CS_KIND_FILE,
    CS_KIND_ATOMIC,
    CS_KIND_OTHER
};

/* What is known of an object, by its address. Made zeroed when it is first asked for. */
struct cs_object {
    uint64_t address;
    enum cs_kind kind;
    uint32_t state; /* 0 never seen before; the rest is the kind's own */
    uint32_t type;  /* of a mutex: PTHREAD_MUTEX_… */
    uint32_t count; /* recursion, the value of a semaphore, the readers of a lock, the arrived at a barrier */
    uint32_t limit; /* of a barrier; of a semaphore unused */
    uint32_t waiters;
    uint32_t generation; /* of a barrier; of an object that was destroyed and made again */
    struct cs_thread *owner;
    struct cs_clock clock;   /* what its release hands over */
    struct cs_clock readers; /* what the readers of a lock have released */
    uint32_t since;          /* the entry in which the owner took it */
    void *more;              /* the kind's own, from cs_allocate */
};

struct cs_object *cs_object(enum cs_kind kind, const void *address);
/* In the address of an object: it is what annotations say about the address, not what is there. */
#define CS_ANNOTATED (UINT64_C(1) << 63)
/* The object at an address if it is known, or NULL. */
struct cs_object *cs_known_object(const void *address);
/* Forget all objects in a range of memory that was freed or whose stack has ended. */
void cs_forget_objects(uint64_t low, uint64_t high);

/* ---- memory of the runtime (arena.c) ---- */

/* Zeroed memory that is never given back; aligned for anything. */
void *cs_allocate(size_t size);

/* ---- vector clocks and data races (clocks.c, races.c) ---- */

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

/* A plain or atomic access to user memory: looks for races and for freed memory. */
void cs_access(struct cs_thread *self, uint64_t address, uint32_t size, enum cs_access_kind kind, bool atomic,
               uint64_t pc);
/* An access by a library function (memcpy, read): the place is the user's call. */
void cs_range(struct cs_thread *self, const void *address, size_t size, enum cs_access_kind kind);
/* Accesses before now are forgotten: a new block, the stack of a new thread. */
void cs_shadow_clear(uint64_t address, uint64_t size);

/* The runtime writes an atomic variable of the program, such as the byte of a guard: what the thread has done so far
 * happens before what follows an acquiring load of it. Comes before the write. */
void cs_publish(struct cs_thread *self, const void *address, uint32_t size);

/* ---- heap (heap.c) ---- */

/* The program has made a compare-exchange that is as large as a pointer: whether an address is used again matters. */
void cs_heap_compared(void);

/* The block that contains the address, also if it is freed and in quarantine; NULL if there is none. */
struct cs_block_info *cs_block_of(uint64_t address);
/* Called from cs_access for memory whose shadow says that it is not (or no longer) allocated. */
void cs_bad_access(struct cs_thread *self, uint64_t address, uint32_t size, enum cs_access_kind kind, uint64_t pc);

#endif
