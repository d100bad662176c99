/* The scheduler. Each thread runs only in its turns, which are in a table after this text; calls of CSEQ_… have been
 * inserted into the program where a turn ends. CSEQ_TRACE=1 in the environment prints each turn. An execution that
 * leaves the schedule says so.
 *
 * No header that declares functions is included, so the program after this text may declare and define what it likes:
 * the functions needed from the C library are declared under names that begin with cseq_. */
#include <asm/unistd.h> /* only macros: __NR_… */

/* Ends of turns other than calls in the program. A row of `sets` may have CSEQ_PAUSE or CSEQ_GOES_ON as its call. */
enum { CSEQ_END = -1, CSEQ_PAUSE = -2, CSEQ_LAST = -3, CSEQ_GOES_ON = -4 };

struct cseq_turn { int thread, until, times, piece; const char *file; int line; };
struct cseq_value { int thread; unsigned long long bits; };
struct cseq_set { int thread, call, times; unsigned long long bits; };
struct cseq_stuck { int thread; const char *file; int line; const char *waits; int asleep; };
struct cseq_plan {
    const char *kind, *message, *file;
    int line, threads;
    const char *const *names;
    const struct cseq_turn *turns;
    int turn_count;
    const struct cseq_value *inputs;
    int input_count;
    const struct cseq_set *sets;
    int set_count;
    const struct cseq_stuck *stuck;
    int stuck_count;
};
static const struct cseq_plan cseq_plan;

#define CSEQ_REAL(name) __asm__(#name)
#define CSEQ_NORETURN __attribute__((noreturn))
#if defined __SANITIZE_THREAD__ || defined __clang__
#define CSEQ_UNSEEN __attribute__((no_sanitize("thread"))) /* or turns would order all accesses, and hide races */
#else
#define CSEQ_UNSEEN
#endif

long cseq_syscall(long, ...) CSEQ_REAL(syscall);
int cseq_print(int, const char *, ...) CSEQ_REAL(dprintf);
int cseq_format(char *, unsigned long, const char *, ...) CSEQ_REAL(snprintf);
int *cseq_errno(void) CSEQ_REAL(__errno_location);
int cseq_sigaction(int, const void *, void *) CSEQ_REAL(sigaction);
char *cseq_getenv(const char *) CSEQ_REAL(getenv);
void cseq_abort(void) CSEQ_REAL(abort) CSEQ_NORETURN;
void cseq_leave(int) CSEQ_REAL(_exit) CSEQ_NORETURN;
int cseq_real_create(unsigned long *, const void *, void *(*)(void *), void *) CSEQ_REAL(pthread_create);
int cseq_real_detach(unsigned long) CSEQ_REAL(pthread_detach);
int cseq_real_key_create(unsigned *, void (*)(void *)) CSEQ_REAL(pthread_key_create);
int cseq_real_setspecific(unsigned, const void *) CSEQ_REAL(pthread_setspecific);

struct cseq_thread {
    volatile int go, ended, spins, cancelled, open; /* go: its turn has begun; open: its interrupted statements */
    int task, calls[CSEQ_CALLS];
    unsigned long handle;
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *argument;
};
static struct cseq_thread cseq_threads[CSEQ_THREADS];
static __thread struct cseq_thread *cseq_self = cseq_threads;
static int cseq_created = 1, cseq_traces;
static volatile int cseq_now, cseq_violated; /* cseq_now: the number of the turn */
static unsigned cseq_key;                    /* its destructor runs at the end of a thread */
static void (*cseq_at_end)(void);

/* Whether the schedule is left, and all threads run as they like: only a test does that (regression.h). */
enum { cseq_leaves = 0, cseq_is_free = 0 };

CSEQ_UNSEEN static const struct cseq_turn *cseq_turn(void)
{
    return &cseq_plan.turns[cseq_now < cseq_plan.turn_count ? cseq_now : cseq_plan.turn_count - 1];
}

CSEQ_UNSEEN static int cseq_is_over(void)
{
    return cseq_now == cseq_plan.turn_count;
}

CSEQ_UNSEEN static int cseq_is_last(void)
{
    return cseq_turn()->until == CSEQ_LAST;
}

/* 10 ms */
CSEQ_UNSEEN static void cseq_nap(void)
{
    static int never;
    static const long pause[] = {0, 10000000};
    cseq_syscall(__NR_futex, &never, 128 /* FUTEX_WAIT_PRIVATE */, 0, pause);
}

/* Is this the last turn, and the violation not a failed claim? Then any end of the turn is the violation. */
CSEQ_UNSEEN static int cseq_is_misuse(void)
{
    return cseq_turn()->until == CSEQ_LAST && __builtin_strcmp(cseq_plan.kind, "assertion") != 0 &&
           __builtin_strcmp(cseq_plan.kind, "reachability") != 0;
}

CSEQ_UNSEEN static CSEQ_NORETURN void cseq_depart(const char *what, const char *more)
{
    const struct cseq_turn *turn = cseq_turn();
    if (cseq_is_over())
        cseq_print(2, "cseq: left the schedule after its last turn, where threads block: %s%s\n", what, more);
    else
        cseq_print(2, "cseq: left the schedule in turn %d of %d (%s, until %s:%d): %s%s\n", cseq_now + 1,
                   cseq_plan.turn_count, cseq_plan.names[turn->thread], turn->file, turn->line, what, more);
    cseq_leave(70);
}

/* The calling thread does what the schedule does not have. */
CSEQ_UNSEEN static void cseq_stray(const char *what)
{
    cseq_depart(what, "");
}

CSEQ_UNSEEN static void cseq_wake(struct cseq_thread *thread)
{
    __sync_synchronize();
    thread->go = 1;
    cseq_syscall(__NR_futex, &thread->go, 129 /* FUTEX_WAKE_PRIVATE */, 1, 0);
}

/* Begins the current turn: prints it if asked to, and wakes its thread. */
CSEQ_UNSEEN static void cseq_begin(void)
{
    static const char *const ends[] = {"runs into the violation at", "runs until it waits at", "runs until its end at"};
    const struct cseq_turn *turn = cseq_turn();
    if (cseq_is_over()) {
        for (int i = 0; i < cseq_plan.stuck_count; i++)
            cseq_wake(&cseq_threads[cseq_plan.stuck[i].thread]);
        return;
    }
    if (cseq_traces)
        cseq_print(2, "cseq: turn %d: %s %s %s:%d\n", cseq_now + 1, cseq_plan.names[turn->thread],
                   turn->until < 0 ? ends[turn->until + 3] : "runs until", turn->file, turn->line);
    if (turn->thread >= cseq_created || cseq_threads[turn->thread].ended) {
        cseq_stray("the thread does not exist");
        return;
    }
    if (cseq_is_misuse())
        cseq_print(2, "cseq: %s:%d: %s\n", cseq_plan.file, cseq_plan.line, cseq_plan.message);
    cseq_wake(&cseq_threads[turn->thread]);
}

CSEQ_UNSEEN static void cseq_wait(void)
{
    while (!cseq_self->go && !cseq_is_free)
        cseq_syscall(__NR_futex, &cseq_self->go, 128 /* FUTEX_WAIT_PRIVATE */, 0, 0);
    cseq_self->go = 0;
    __sync_synchronize();
}

/* Is the thread asleep, or does it spin? Its turn has begun, so it can only be in a call that blocks. */
CSEQ_UNSEEN static int cseq_sleeps(const struct cseq_thread *thread)
{
    char text[256];
    long file, size = 0;
    cseq_format(text, sizeof text, "/proc/self/task/%d/stat", thread->task);
    file = cseq_syscall(__NR_openat, -100 /* AT_FDCWD */, text, 0);
    if (file >= 0) {
        size = cseq_syscall(__NR_read, file, text, sizeof text);
        cseq_syscall(__NR_close, file);
    }
    while (size > 0 && text[size - 1] != ')')
        size--;
    return thread->spins || (size > 0 && text[size + 1] == 'S');
}

CSEQ_UNSEEN static int cseq_all_sleep(void)
{
    if (!cseq_is_over())
        return cseq_sleeps(&cseq_threads[cseq_turn()->thread]);
    for (int i = 0; i < cseq_plan.stuck_count; i++)
        if (!cseq_sleeps(&cseq_threads[cseq_plan.stuck[i].thread]))
            return 0;
    return 1;
}

CSEQ_UNSEEN static CSEQ_NORETURN void cseq_deadlock(void)
{
    cseq_print(2, "cseq: deadlock\n");
    for (int i = 0; i < cseq_plan.stuck_count; i++) {
        const struct cseq_stuck *stuck = &cseq_plan.stuck[i];
        cseq_print(2, "cseq:   %s at %s:%d %s\n", cseq_plan.names[stuck->thread], stuck->file, stuck->line, stuck->waits);
    }
    cseq_violated = 1;
    cseq_abort();
}

#ifndef CSEQ_PATIENCE
#define CSEQ_PATIENCE 1000 /* checks of a turn before it takes too long; a tenth of that if the thread sleeps */
#endif

/* A separate thread that checks every 10 ms whether the threads that may run are blocked. It counts its checks and not
 * the time, since a debugger may stop the process. */
CSEQ_UNSEEN static void *cseq_watch(void *unused)
{
    int turn = -1, looks = 0, asleep = 0;
    for (;;) {
        cseq_nap();
        if (turn != cseq_now)
            looks = asleep = 0;
        turn = cseq_now;
        looks++;
        asleep = cseq_all_sleep() ? asleep + 1 : 0;
        if (asleep == 3 && cseq_is_over())
            cseq_deadlock();
        if (asleep == 3 && cseq_is_misuse())
            cseq_abort();
        if (asleep == CSEQ_PATIENCE / 10)
            cseq_depart("the thread is blocked", "");
        if (looks == CSEQ_PATIENCE)
            cseq_depart("it does not end", "");
    }
    return unused;
}

/* As late as possible, so that debuggers give the first numbers to the threads of the program. */
CSEQ_UNSEEN static void cseq_start_watch(void)
{
    static int started;
    unsigned long handle;
    if (!started && cseq_real_create(&handle, 0, cseq_watch, 0) == 0)
        cseq_real_detach(handle);
    started = 1;
}

CSEQ_UNSEEN static int cseq_ends_at(int until, int times, int piece)
{
    const struct cseq_turn *turn = cseq_turn();
    return !cseq_is_over() && turn->until == until && turn->times == times && turn->piece == piece;
}

/* The calling thread has come to a place where a turn may end. While its turns end here, it waits for its next one. */
CSEQ_UNSEEN static __attribute__((noinline)) void cseq_reach(int until, int times, int piece)
{
    int error = *cseq_errno();
    while (!cseq_leaves && cseq_ends_at(until, times, piece)) {
        cseq_now++;
        cseq_begin();
        cseq_start_watch();
        cseq_wait();
    }
    *cseq_errno() = error;
}

CSEQ_UNSEEN static __attribute__((noinline)) void cseq_at(int call)
{
    cseq_reach(call, ++cseq_self->calls[call], 0);
}
#define CSEQ_AT(n) cseq_at(n)

#define CSEQ_AFTER(n, ...) (__extension__({ __auto_type cseq_value = (__VA_ARGS__); cseq_at(n); cseq_value; }))

/* A declaration that acts as CSEQ_AT when its block is left. */
static __attribute__((unused)) void cseq_back(int *call)
{
    cseq_at(*call);
}
#define CSEQ_BACK(n) __attribute__((__cleanup__(cseq_back), __unused__)) int cseq_back_##n = n

/* The end of a thread, after its cleanup handlers. */
CSEQ_UNSEEN static void cseq_end(void *self)
{
    if (cseq_at_end)
        cseq_at_end();
    cseq_self->ended = 1;
    if (cseq_leaves)
        return;
    if (cseq_is_misuse())
        cseq_abort();
    if (self != &cseq_threads[cseq_turn()->thread] || cseq_turn()->until != CSEQ_END || cseq_is_over()) {
        cseq_stray("the thread has ended");
        return;
    }
    cseq_now++;
    cseq_begin();
}

/* SIGABRT and crashes. With the usual handler restored, abort() raises the signal again, or the instruction crashes
 * again. */
CSEQ_UNSEEN static void cseq_signalled(int signal)
{
    long usual[64] = {0};
    if (!cseq_is_last() && !cseq_violated)
        cseq_depart("the program is aborted or crashes", "");
    cseq_sigaction(signal, usual, 0);
}

CSEQ_UNSEEN static __attribute__((constructor)) void cseq_start_process(void)
{
    static const int signals[] = {4 /* SIGILL */, 6 /* SIGABRT */, 7 /* SIGBUS */, 8 /* SIGFPE */, 11 /* SIGSEGV */};
    for (int i = 0; i < 5; i++) {
        long old[64] = {0}, ours[64] = {(long) cseq_signalled};
        cseq_sigaction(signals[i], 0, old);
        if (old[0] == 0) /* sanitizers have handlers of their own */
            cseq_sigaction(signals[i], ours, 0);
    }
    cseq_traces = cseq_getenv("CSEQ_TRACE") != 0;
    cseq_self->task = (int) cseq_syscall(__NR_gettid);
    cseq_real_key_create(&cseq_key, cseq_end);
    cseq_real_setspecific(cseq_key, cseq_self);
    if (cseq_created == CSEQ_THREADS)
        cseq_start_watch();
    cseq_begin();
    cseq_wait();
}

CSEQ_UNSEEN static __attribute__((destructor)) void cseq_end_process(void)
{
    if (cseq_is_misuse())
        cseq_abort();
    cseq_depart("the process ends", "");
}

static __attribute__((unused)) CSEQ_NORETURN void cseq_fail(const char *file, int line, const char *function, const char *text)
{
    if (!cseq_is_last())
        cseq_depart("too early: ", text);
    cseq_print(2, "cseq: %s:%d: %s: %s\n", file, line, function, text);
    cseq_abort();
}

/* For a statement that may also be executed earlier, without a violation. */
static __attribute__((unused)) void cseq_fail_last(const char *file, int line, const char *function, const char *text)
{
    if (cseq_is_last())
        cseq_fail(file, line, function, text);
}
#define CSEQ_FAIL(text) cseq_fail_last(__FILE__, __LINE__, __func__, text)
#define CSEQ_AFTER_FAIL(fail, ...) (__extension__({ __auto_type cseq_value = (__VA_ARGS__); fail; cseq_value; }))
