/* Loops whose iterations are handed out in a run, sections, and ordered regions: see openmp.h. A static loop needs no
 * function. The order in which pieces are handed out is that of the schedule. */
#include <stdlib.h>

#include "openmp.h"

extern void __tsan_func_entry(void *return_address);
extern void __tsan_func_exit(void);

struct loop {
    bool up;
    uint64_t start, end, step, chunk;
};

static void begin(struct cs_share *share, const struct loop *loop)
{
    share->up = loop->up;
    share->next = loop->start;
    share->end = loop->end;
    share->step = loop->step;
    share->chunk = loop->chunk > 0 ? loop->chunk : 1;
}

/* The distance to the end is a number without sign even where the counters have one. */
static bool take(struct cs_share *share, uint64_t *from, uint64_t *to)
{
    uint64_t rest = share->up ? share->end - share->next : share->next - share->end;
    if (rest == 0 || rest > UINT64_MAX / 2) {
        return false;
    }
    uint64_t size = share->chunk * (share->up ? share->step : -share->step);
    *from = share->next;
    *to = size >= rest ? share->end : share->next + (share->up ? size : -size);
    share->next = *to;
    return true;
}

static bool is_served(struct cs_thread *self, void *subject)
{
    const struct cs_member *member = subject;
    (void)self;
    return member->share->serving == member->ticket;
}

/* The thread's piece of an ordered loop is over. */
static void pass_on(struct cs_thread *self, struct cs_member *member)
{
    if (member->has_ticket) {
        struct cs_share *share = member->share;
        cs_block(CS_omp_critical, share, 1, is_served, member, CS_NEVER);
        cs_acquire(self, &share->order);
        cs_release(self, &share->order);
        share->serving++;
        member->has_ticket = false;
    }
}

static bool next_piece(struct cs_thread *self, struct cs_member *member, bool ordered, uint64_t *from, uint64_t *to)
{
    pass_on(self, member);
    cs_omp_step(self, member->share);
    bool found = take(member->share, from, to);
    if (found && ordered) {
        member->ticket = member->share->tickets++;
        member->has_ticket = true;
    }
    return found;
}

static bool start(struct cs_thread *self, const struct loop *loop, bool ordered, uint64_t *from, uint64_t *to)
{
    struct cs_member *member = cs_member(self);
    bool first;
    struct cs_share *share = cs_share_next(member, &first);
    if (first) {
        begin(share, loop);
    }
    return next_piece(self, member, ordered, from, to);
}

static void prepare(struct cs_team *team, const void *more)
{
    struct cs_share *share = cs_allocate(sizeof *share);
    begin(share, more);
    team->shares = share; /* number 0: before all others */
}

/* The loop with which a parallel region begins: it is started for the thread. */
static struct cs_share *current(struct cs_member *member)
{
    if (member->share == NULL) {
        struct cs_share *share = member->team->shares;
        while (share->before != NULL) {
            share = share->before;
        }
        member->share = share;
    }
    return member->share;
}

#define SIGNED(start, end, incr, chunk) \
    (&(struct loop){(incr) > 0, (uint64_t)(start), (uint64_t)(end), (uint64_t)(incr), (uint64_t)(chunk)})
#define UNSIGNED(up, start, end, incr, chunk) (&(struct loop){up, start, end, incr, chunk})

#define NEXT(name, type, ordered) \
    CS_PUBLIC bool name(type *from, type *to); \
    CS_PUBLIC bool name(type *from, type *to) \
    { \
        CS_ENTER(self, CS_REAL(name)(from, to)); \
        current(cs_member(self)); \
        bool found = next_piece(self, cs_member(self), ordered, (uint64_t *)from, (uint64_t *)to); \
        return cs_leave(self, found); \
    }

#define LOOP(prefix, ordered) \
    CS_PUBLIC bool prefix##_start(long first, long end, long incr, long chunk, long *from, long *to); \
    CS_PUBLIC bool prefix##_start(long first, long end, long incr, long chunk, long *from, long *to) \
    { \
        CS_ENTER(self, CS_REAL(prefix##_start)(first, end, incr, chunk, from, to)); \
        bool found = start(self, SIGNED(first, end, incr, chunk), ordered, (uint64_t *)from, (uint64_t *)to); \
        return cs_leave(self, found); \
    } \
    NEXT(prefix##_next, long, ordered)

/* schedule(runtime): pieces of one iteration. */
#define RUNTIME(prefix, ordered) \
    CS_PUBLIC bool prefix##_start(long first, long end, long incr, long *from, long *to); \
    CS_PUBLIC bool prefix##_start(long first, long end, long incr, long *from, long *to) \
    { \
        CS_ENTER(self, CS_REAL(prefix##_start)(first, end, incr, from, to)); \
        bool found = start(self, SIGNED(first, end, incr, 1), ordered, (uint64_t *)from, (uint64_t *)to); \
        return cs_leave(self, found); \
    } \
    NEXT(prefix##_next, long, ordered)

typedef unsigned long long ull;

#define ULL(prefix, ordered) \
    CS_PUBLIC bool prefix##_start(bool up, ull first, ull end, ull incr, ull chunk, ull *from, ull *to); \
    CS_PUBLIC bool prefix##_start(bool up, ull first, ull end, ull incr, ull chunk, ull *from, ull *to) \
    { \
        CS_ENTER(self, CS_REAL(prefix##_start)(up, first, end, incr, chunk, from, to)); \
        bool found = start(self, UNSIGNED(up, first, end, incr, chunk), ordered, (uint64_t *)from, (uint64_t *)to); \
        return cs_leave(self, found); \
    } \
    NEXT(prefix##_next, ull, ordered)

LOOP(GOMP_loop_static, false)
LOOP(GOMP_loop_dynamic, false)
LOOP(GOMP_loop_guided, false)
LOOP(GOMP_loop_nonmonotonic_dynamic, false)
LOOP(GOMP_loop_nonmonotonic_guided, false)
LOOP(GOMP_loop_ordered_static, true)
LOOP(GOMP_loop_ordered_dynamic, true)
LOOP(GOMP_loop_ordered_guided, true)
RUNTIME(GOMP_loop_runtime, false)
RUNTIME(GOMP_loop_nonmonotonic_runtime, false)
RUNTIME(GOMP_loop_maybe_nonmonotonic_runtime, false)
RUNTIME(GOMP_loop_ordered_runtime, true)
ULL(GOMP_loop_ull_dynamic, false)
ULL(GOMP_loop_ull_guided, false)
ULL(GOMP_loop_ull_nonmonotonic_dynamic, false)
ULL(GOMP_loop_ull_nonmonotonic_guided, false)
ULL(GOMP_loop_ull_ordered_dynamic, true)

/* ---- the end of a construct ---- */

#define ENDS(name, waits) \
    CS_PUBLIC void name(void); \
    CS_PUBLIC void name(void) \
    { \
        CS_ENTER(self, CS_REAL(name)()); \
        pass_on(self, cs_member(self)); \
        if (waits) { \
            cs_team_wait(self, cs_member(self)); \
        } \
        self->inside = false; \
    }

ENDS(GOMP_loop_end, true)
ENDS(GOMP_loop_end_nowait, false)
ENDS(GOMP_sections_end, true)
ENDS(GOMP_sections_end_nowait, false)

CS_PUBLIC void GOMP_ordered_start(void);
CS_PUBLIC void GOMP_ordered_start(void)
{
    CS_ENTER(self, CS_REAL(GOMP_ordered_start)());
    struct cs_member *member = cs_member(self);
    if (member->has_ticket) {
        cs_block(CS_omp_critical, member->share, 0, is_served, member, CS_NEVER);
        cs_acquire(self, &member->share->order);
    }
    self->inside = false;
}

/* The region goes to the next thread when this one asks for its next piece. */
CS_PUBLIC void GOMP_ordered_end(void);
CS_PUBLIC void GOMP_ordered_end(void)
{
    if (cs_self == NULL || cs_self->inside) {
        CS_REAL(GOMP_ordered_end)();
    }
}

/* ---- sections: a loop from 1 on ---- */

static unsigned section(struct cs_thread *self)
{
    uint64_t from, to;
    current(cs_member(self));
    return next_piece(self, cs_member(self), false, &from, &to) ? (unsigned)from : 0;
}

CS_PUBLIC unsigned GOMP_sections_next(void);
CS_PUBLIC unsigned GOMP_sections_next(void)
{
    CS_ENTER(self, CS_REAL(GOMP_sections_next)());
    unsigned number = section(self);
    return cs_leave(self, number);
}

CS_PUBLIC unsigned GOMP_sections_start(unsigned count);
CS_PUBLIC unsigned GOMP_sections_start(unsigned count)
{
    CS_ENTER(self, CS_REAL(GOMP_sections_start)(count));
    uint64_t from, to;
    bool found = start(self, UNSIGNED(true, 1, count + 1ul, 1, 1), false, &from, &to);
    return cs_leave(self, found ? (unsigned)from : 0);
}

/* ---- regions that begin with a loop ---- */

static void parallel(struct cs_thread *self, void (*function)(void *), void *data, unsigned count,
                     const struct loop *loop, void *place)
{
    __tsan_func_entry(place);
    cs_omp_parallel(self, function, data, count, prepare, loop);
    __tsan_func_exit();
}

#define PLACE __builtin_return_address(0)

CS_PUBLIC void GOMP_parallel_sections(void (*function)(void *), void *data, unsigned threads, unsigned count,
                                      unsigned flags);
CS_PUBLIC void GOMP_parallel_sections(void (*function)(void *), void *data, unsigned threads, unsigned count,
                                      unsigned flags)
{
    CS_ENTER(self, CS_REAL(GOMP_parallel_sections)(function, data, threads, count, flags));
    parallel(self, function, data, threads, UNSIGNED(true, 1, count + 1ul, 1, 1), PLACE);
}

#define PARALLEL(name) \
    CS_PUBLIC void name(void (*function)(void *), void *data, unsigned threads, long first, long end, long incr, \
                        long chunk, unsigned flags); \
    CS_PUBLIC void name(void (*function)(void *), void *data, unsigned threads, long first, long end, long incr, \
                        long chunk, unsigned flags) \
    { \
        CS_ENTER(self, CS_REAL(name)(function, data, threads, first, end, incr, chunk, flags)); \
        parallel(self, function, data, threads, SIGNED(first, end, incr, chunk), PLACE); \
    }
#define PARALLEL_RUNTIME(name) \
    CS_PUBLIC void name(void (*function)(void *), void *data, unsigned threads, long first, long end, long incr, \
                        unsigned flags); \
    CS_PUBLIC void name(void (*function)(void *), void *data, unsigned threads, long first, long end, long incr, \
                        unsigned flags) \
    { \
        CS_ENTER(self, CS_REAL(name)(function, data, threads, first, end, incr, flags)); \
        parallel(self, function, data, threads, SIGNED(first, end, incr, 1), PLACE); \
    }

PARALLEL(GOMP_parallel_loop_static)
PARALLEL(GOMP_parallel_loop_dynamic)
PARALLEL(GOMP_parallel_loop_guided)
PARALLEL(GOMP_parallel_loop_nonmonotonic_dynamic)
PARALLEL(GOMP_parallel_loop_nonmonotonic_guided)
PARALLEL_RUNTIME(GOMP_parallel_loop_runtime)
PARALLEL_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
PARALLEL_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
