/* Threads: their creation, their end, joining and detaching. */
#include <errno.h>
#include <execinfo.h>
#include <limits.h>
#include <sys/resource.h>

#include "raw.h"
#include "signals.h"
#include "sync.h"

#define MOST_STACK (1ul << 30)
#define OUR_STACK (64ul << 10)

static pthread_key_t last; /* its destructor is the end of a thread */

struct cs_thread *cs_new_thread(struct cs_thread *creator)
{
    if (cs_thread_count == CS_MOST_THREADS) {
        cs_end(CS_END_threads, CS_MOST_THREADS, NULL, 0, NULL);
    }
    struct cs_thread *thread = cs_allocate(sizeof *thread);
    thread->number = cs_thread_count;
    thread->creator = creator;
    thread->next = (struct cs_announced){.op = CS_begin, .deadline = CS_NEVER};
    if (creator != NULL) {
        thread->next.argument = creator->number;
        cs_release(creator, &thread->clock);
        cs_signals_inherited(creator, thread);
    }
    cs_release(thread, &thread->clock); /* its own time begins with 1 */
    cs_threads[cs_thread_count++] = thread;
    cs_strategy_created(thread);
    return thread;
}

static void describe(struct cs_thread *thread, void *start)
{
    struct cs_shared *shared = cs_shared;
    if (thread->number >= shared->threads.capacity) {
        return;
    }
    struct cs_thread_info *infos = (struct cs_thread_info *)((char *)shared + shared->threads.offset);
    infos[thread->number] = (struct cs_thread_info){
        .start = (uint64_t)start,
        .handle = (uint64_t)thread->handle,
        .stack = thread->creator != NULL ? cs_stack(thread->creator, cs_caller(thread->creator)) : 0,
        .creator = thread->creator != NULL ? (uint16_t)thread->creator->number : 0,
        .number = (uint16_t)thread->number,
        .stack_low = thread->stack_low,
        .stack_high = thread->stack_high,
    };
    shared->result.threads = thread->number + 1;
}

/* The stack of the process's first thread can grow to its limit; glibc would read /proc for that. */
static void know_first_stack(struct cs_thread *thread)
{
    extern void *__libc_stack_end;
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    CS_SYSCALL2(SYS_getrlimit, RLIMIT_STACK, &limit);
    uintptr_t size = limit.rlim_cur < MOST_STACK ? limit.rlim_cur : MOST_STACK;
    uintptr_t page = 4096;
    thread->stack_high = ((uintptr_t)__libc_stack_end + page - 1) / page * page;
    thread->stack_low = thread->stack_high - size;
}

static void know_stack(struct cs_thread *thread)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (CS_REAL(pthread_getattr_np)(thread->handle, &attributes) == 0) {
        CS_REAL(pthread_attr_getstack)(&attributes, &low, &size);
        thread->stack_low = (uintptr_t)low;
        thread->stack_high = (uintptr_t)low + size;
        CS_REAL(pthread_attr_destroy)(&attributes);
    }
}

/* Destructors run in rounds; ours is the last of the last round. */
static void at_end(void *round)
{
    struct cs_thread *self = cs_self;
    if (self == NULL) {
        return;
    }
    uintptr_t number = (uintptr_t)round;
    if (number < PTHREAD_DESTRUCTOR_ITERATIONS) {
        CS_REAL(pthread_setspecific)(last, (void *)(number + 1));
        return;
    }
    self->inside = true;
    self->cancel_disabled = true;
    self->depth = 0;
    self->caller = 0;
    cs_mutexes_abandoned(self);
    cs_finish_thread(self);
    if (cs_self == self) { /* the first thread, which ends the process now that all others have ended */
        self->inside = false;
    }
}

void cs_prepare_threads(void)
{
    if (cs_static_real != NULL) {
        return; /* the unwinder is there, but does not know the frames of a static program yet */
    }
    void *place;
    backtrace(&place, 1);
}

void cs_begin_threads(void)
{
    CS_REAL(pthread_key_create)(&last, at_end);
    struct cs_thread *first = cs_new_thread(NULL);
    first->life = CS_LIVE;
    first->handle = CS_REAL(pthread_self)();
    first->tid = (int)CS_SYSCALL1(SYS_gettid, 0);
    know_first_stack(first);
    describe(first, NULL);
    CS_REAL(pthread_setspecific)(last, (void *)1);
    cs_self = first;
    cs_begin_system();
}

static void *trampoline(void *argument)
{
    struct cs_thread *self = argument;
    self->tid = (int)CS_SYSCALL1(SYS_gettid, 0);
    __atomic_store_n(&self->life, CS_LIVE, __ATOMIC_RELEASE);
    cs_await_baton(self);
    cs_self = self;
    cs_begin_system_of_thread();
    /* With what was thread_local in an earlier thread, which is at the end of the stack's memory. */
    cs_shadow_clear(self->stack_low, self->stack_high - self->stack_low);
    cs_forget_objects(self->stack_low, self->stack_high);
    CS_REAL(pthread_setspecific)(last, (void *)1);
    self->inside = false;
    self->result = self->start(self->argument);
    return self->result;
}

/* The attributes with a larger stack, as we use some of it, unless the program has made the stack itself. */
static const pthread_attr_t *enlarged(const pthread_attr_t *given, pthread_attr_t *room)
{
    void *low = NULL;
    size_t size = 0;
    if (given == NULL || CS_REAL(pthread_attr_getstack)(given, &low, &size) != 0 || (uintptr_t)low + size != 0) {
        return given;
    }
    *room = *given;
    CS_REAL(pthread_attr_getstacksize)(given, &size);
    CS_REAL(pthread_attr_setstacksize)(room, size + OUR_STACK);
    return room;
}

int cs_create(struct cs_thread *self, pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
              void *argument, void *described)
{
    pthread_attr_t room;
    cs_step(CS_create, NULL, cs_thread_count);
    struct cs_thread *thread = cs_new_thread(self);
    thread->start = start;
    thread->argument = argument;
    thread->inside = true;
    thread->life = CS_NEW;
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes != NULL) {
        pthread_attr_getdetachstate(attributes, &detached);
    }
    thread->detached = detached == PTHREAD_CREATE_DETACHED;
    int result = CS_REAL(pthread_create)(&thread->handle, enlarged(attributes, &room), trampoline, thread);
    if (result != 0) {
        thread->life = CS_JOINED; /* there is none */
        thread->handle = 0;
        return cs_result(self, result);
    }
    *handle = thread->handle;
    know_stack(thread);
    describe(thread, described);
    while (__atomic_load_n(&thread->life, __ATOMIC_ACQUIRE) == CS_NEW) {
        CS_SYSCALL1(SYS_sched_yield, 0);
    }
    cs_done(self, thread->number, 0);
    return cs_leave(self, 0);
}

CS_PUBLIC int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                             void *argument)
{
    CS_ENTER(self, CS_REAL(pthread_create)(handle, attributes, start, argument));
    return cs_create(self, handle, attributes, start, argument, (void *)start);
}

static bool can_join(struct cs_thread *self, void *other)
{
    return ((const struct cs_thread *)other)->life == CS_ENDED || cs_must_cancel(self);
}

/* The thread to join or to detach; ends the run if there is none that can be. */
static struct cs_thread *joinable(pthread_t handle, enum cs_misuse detached)
{
    struct cs_thread *other = cs_latest_of(handle);
    enum cs_misuse misuse = other == NULL ? CS_MISUSE_none_created
        : other->detached                 ? detached
        : other->life == CS_JOINED        ? CS_MISUSE_joined_twice
        : other->joiner != NULL           ? CS_MISUSE_joined_twice
                                          : 0;
    if (misuse != 0) {
        if (other == NULL) { /* the record names no thread then */
            cs_done(cs_self, ESRCH, CS_FAILED);
        }
        cs_misuse(misuse, (const void *)handle);
    }
    return other;
}

/* The thread has ended: wait for what it does in libc after that. */
static int join_ended(struct cs_thread *self, struct cs_thread *other, void **result)
{
    int error = 0;
    if (other->number != 0) {
        error = CS_REAL(pthread_join)(other->handle, result);
    } else if (result != NULL) { /* it stays to end the process */
        *result = other->result;
    }
    other->life = CS_JOINED;
    cs_acquire(self, &other->clock);
    return cs_result(self, error);
}

int cs_join(struct cs_thread *self, pthread_t handle, void **result, enum cs_op op, uint64_t deadline)
{
    cs_cancel_point(self);
    struct cs_thread *other = cs_latest_of(handle);
    if (other == NULL || other->detached || other->life == CS_JOINED || other->joiner != NULL || other == self) {
        cs_step(op, (const void *)handle, other != NULL ? other->number : UINT64_MAX);
        other = joinable(handle, CS_MISUSE_detached);
    }
    if (other == self) {
        cs_misuse(CS_MISUSE_itself, (const void *)handle);
    }
    other->joiner = self;
    bool able = cs_block(op, (const void *)handle, other->number, can_join, other, deadline);
    other->joiner = NULL;
    if (other->life == CS_ENDED) {
        return join_ended(self, other, result);
    }
    if (other->life == CS_JOINED || other->detached) { /* by somebody else meanwhile */
        joinable(handle, CS_MISUSE_detached);
    }
    if (able) {
        cs_done(self, ECANCELED, CS_FAILED);
        cs_cancel_point(self);
    }
    return cs_result(self, ETIMEDOUT);
}

CS_PUBLIC int pthread_join(pthread_t handle, void **result)
{
    CS_ENTER(self, CS_REAL(pthread_join)(handle, result));
    return cs_join(self, handle, result, CS_join, CS_NEVER);
}

CS_PUBLIC int pthread_tryjoin_np(pthread_t handle, void **result)
{
    CS_ENTER(self, CS_REAL(pthread_tryjoin_np)(handle, result));
    const struct cs_thread *other = cs_latest_of(handle);
    cs_step(CS_join, (const void *)handle, other != NULL ? other->number : UINT64_MAX);
    struct cs_thread *found = joinable(handle, CS_MISUSE_detached);
    return found->life == CS_ENDED ? join_ended(self, found, result) : cs_result(self, EBUSY);
}

CS_PUBLIC int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_timedjoin_np)(handle, result, time));
    if (time != NULL && !cs_valid_time(time)) {
        return cs_leave(self, EINVAL);
    }
    return cs_join(self, handle, result, CS_join, cs_deadline(CLOCK_REALTIME, time));
}

CS_PUBLIC int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_clockjoin_np)(handle, result, clock, time));
    if (time != NULL && !cs_valid_time(time)) {
        return cs_leave(self, EINVAL);
    }
    return cs_join(self, handle, result, CS_join, cs_deadline(clock, time));
}

int cs_detach(struct cs_thread *self, pthread_t handle)
{
    const struct cs_thread *known = cs_latest_of(handle);
    cs_step(CS_detach, (const void *)handle, known != NULL ? known->number : UINT64_MAX);
    struct cs_thread *other = joinable(handle, CS_MISUSE_detached_twice);
    other->detached = true;
    if (other->life == CS_ENDED) {
        other->life = CS_JOINED; /* its handle is free */
    }
    return cs_result(self, CS_REAL(pthread_detach)(handle));
}

CS_PUBLIC int pthread_detach(pthread_t handle)
{
    CS_ENTER(self, CS_REAL(pthread_detach)(handle));
    return cs_detach(self, handle);
}

CS_PUBLIC _Noreturn void pthread_exit(void *result)
{
    if (cs_self != NULL) {
        cs_self->result = result;
    }
    CS_REAL(pthread_exit)(result);
    __builtin_unreachable();
}
