/* See signals.h. Signals that report what a thread has done wrong are in crash.c. */
#include <errno.h>
#include <string.h>

#include "raw.h"
#include "signals.h"
#include "system.h"

#define SIGNALS 65
#define BIT(signal) (1ul << ((signal) - 1))

static struct sigaction actions[SIGNALS]; /* what the program has asked for */
static uint64_t known;                    /* those of `actions` that it has asked for */

static struct state {
    uint64_t pending, blocked;
    uint64_t handled; /* how many */
    int taken;        /* the signal that is handled next */
    struct cs_announced interrupted;
} states[CS_MOST_THREADS];

static uint64_t pending_for_all;
static uint64_t alarm_again; /* nanoseconds */

static uint64_t bits_of(const sigset_t *set)
{
    uint64_t bits;
    memcpy(&bits, set, sizeof bits);
    return bits & ~(BIT(SIGKILL) | BIT(SIGSTOP));
}

static void set_of(uint64_t bits, sigset_t *set)
{
    memset(set, 0, sizeof *set);
    memcpy(set, &bits, sizeof bits);
}

/* ---- handlers ---- */

bool cs_program_handles(int signal, siginfo_t *info, void *context)
{
    struct sigaction action = actions[signal];
    struct cs_thread *self = cs_self;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN || self == NULL) {
        return false;
    }
    if ((action.sa_flags & (int)SA_RESETHAND) != 0) {
        actions[signal].sa_handler = SIG_DFL;
    }
    bool inside = self->inside;
    int before = errno;
    self->inside = false;
    if ((action.sa_flags & SA_SIGINFO) != 0) {
        action.sa_sigaction(signal, info, context);
    } else {
        action.sa_handler(signal);
    }
    self->inside = inside;
    errno = before;
    return true;
}

static bool ignored(int signal)
{
    const struct sigaction *action = &actions[signal];
    bool harmless =
        signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT || signal == SIGTSTP;
    return action->sa_handler == SIG_IGN || (action->sa_handler == SIG_DFL && harmless);
}

/* One that the kernel delivers, at any time and to any thread. */
static void on_arrival(int signal)
{
    if (cs_active) {
        __atomic_fetch_or(&cs_arrived, BIT(signal), __ATOMIC_SEQ_CST);
    } else if (actions[signal].sa_handler != SIG_DFL && actions[signal].sa_handler != SIG_IGN) {
        actions[signal].sa_handler(signal); /* in a child of the run */
    }
}

static void know(int signal)
{
    if ((known & BIT(signal)) == 0) {
        known |= BIT(signal);
        if (!cs_is_fatal(signal)) {
            CS_REAL(sigaction)(signal, NULL, &actions[signal]);
        }
    }
}

CS_PUBLIC int sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
    CS_ENTER(self, CS_REAL(sigaction)(signal, action, before));
    if (signal < 1 || signal >= SIGNALS || signal == SIGKILL || signal == SIGSTOP) {
        return cs_leave(self, CS_REAL(sigaction)(signal, action, before));
    }
    know(signal);
    struct sigaction old = actions[signal];
    if (action != NULL) {
        actions[signal] = *action;
        if (!cs_is_fatal(signal)) {
            struct sigaction ours = *action;
            ours.sa_flags = SA_RESTART | (action->sa_flags & (SA_NOCLDSTOP | SA_NOCLDWAIT));
            if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
                ours.sa_handler = on_arrival;
            }
            CS_REAL(sigaction)(signal, &ours, NULL);
        }
    }
    if (before != NULL) {
        *before = old;
    }
    return cs_leave(self, 0);
}

CS_PUBLIC sighandler_t signal(int number, sighandler_t handler)
{
    if (cs_self == NULL || cs_self->inside) {
        return CS_REAL(signal)(number, handler);
    }
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/* ---- delivery ---- */

static void update(struct cs_thread *thread)
{
    const struct state *state = &states[thread->number];
    thread->signalled = (state->pending & ~state->blocked) != 0;
}

static uint32_t open_for(int signal, uint16_t *found)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        if (cs_threads[n]->life == CS_LIVE && (states[n].blocked & BIT(signal)) == 0) {
            found[count++] = (uint16_t)n;
        }
    }
    return count;
}

void cs_signal_send(int signal, struct cs_thread *thread)
{
    know(signal);
    if (thread == NULL) {
        uint16_t found[CS_MOST_THREADS];
        uint32_t count = open_for(signal, found);
        if (count == 0) {
            pending_for_all |= BIT(signal);
            return;
        }
        if (ignored(signal)) {
            return;
        }
        thread = cs_threads[cs_choose(CS_CHOICE_SIGNAL, found, count)];
    }
    struct state *state = &states[thread->number];
    if ((state->blocked & BIT(signal)) == 0) {
        if (ignored(signal)) {
            return;
        }
        if (actions[signal].sa_handler == SIG_DFL) {
            struct sigaction usual = {.sa_handler = SIG_DFL};
            CS_REAL(sigaction)(signal, &usual, NULL);
            CS_SYSCALL2(SYS_kill, CS_SYSCALL1(SYS_getpid, 0), signal);
        }
    }
    state->pending |= BIT(signal);
    update(thread);
}

static void arrive(void)
{
    uint64_t arrived = __atomic_exchange_n(&cs_arrived, 0, __ATOMIC_SEQ_CST);
    if (cs_alarm <= cs_now) {
        cs_alarm = alarm_again != 0 ? cs_now + alarm_again : CS_NEVER;
        arrived |= BIT(SIGALRM);
    }
    while (arrived != 0) {
        int signal = __builtin_ctzl(arrived) + 1;
        arrived &= arrived - 1;
        cs_signal_send(signal, NULL);
    }
}

static int take(struct state *state)
{
    int signal = __builtin_ctzl(state->pending & ~state->blocked) + 1;
    state->pending &= ~BIT(signal);
    return signal;
}

static void come(struct cs_thread *thread)
{
    struct state *state = &states[thread->number];
    state->taken = take(state);
    update(thread);
    state->interrupted = thread->next;
    thread->next = (struct cs_announced){
        .op = CS_signal_handled,
        .argument = (uint64_t)state->taken,
        .stack = state->interrupted.stack,
        .deadline = CS_NEVER,
    };
}

static void run(struct cs_thread *self, int signal)
{
    struct state *state = &states[self->number];
    uint64_t blocked = state->blocked, caller = cs_caller(self);
    uint32_t entry = self->entry, depth = self->depth;
    struct cs_announced interrupted = state->interrupted;
    siginfo_t info = {.si_signo = signal, .si_code = SI_USER, .si_pid = (pid_t)CS_SYSCALL1(SYS_getpid, 0)};
    state->blocked |= bits_of(&actions[signal].sa_mask);
    if ((actions[signal].sa_flags & (int)SA_NODEFER) == 0) {
        state->blocked |= BIT(signal);
    }
    update(self);
    cs_program_handles(signal, &info, NULL);
    state->blocked = blocked;
    state->interrupted = interrupted;
    state->handled++;
    self->entry = entry;
    self->depth = depth;
    cs_called_from(self, (void *)caller);
    update(self);
}

static void handle(struct cs_thread *self)
{
    struct state *state = &states[self->number];
    run(self, state->taken);
    self->next = state->interrupted;
}

void cs_signal_now(struct cs_thread *self)
{
    while (self->signalled) {
        int signal = take(&states[self->number]);
        cs_record(self, CS_signal_handled, NULL, (uint64_t)signal);
        run(self, signal);
    }
}

void cs_begin_signals(void)
{
    CS_SYSCALL4(SYS_rt_sigprocmask, SIG_BLOCK, 0, &states[0].blocked, 8);
    cs_hooks.signals_arrive = arrive;
    cs_hooks.signal_comes = come;
    cs_hooks.signal_handle = handle;
}

void cs_signals_inherited(const struct cs_thread *creator, const struct cs_thread *thread)
{
    states[thread->number].blocked = states[creator->number].blocked;
}

/* ---- masks ---- */

static void take_those_for_all(struct cs_thread *self)
{
    struct state *state = &states[self->number];
    uint64_t open = pending_for_all & ~state->blocked;
    pending_for_all &= ~open;
    state->pending |= open;
    update(self);
}

static void set_mask(struct cs_thread *self, uint64_t blocked)
{
    states[self->number].blocked = blocked;
    take_those_for_all(self);
    cs_signal_now(self);
}

CS_PUBLIC int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    CS_ENTER(self, CS_REAL(pthread_sigmask)(how, set, before));
    uint64_t old = states[self->number].blocked;
    int error = CS_REAL(pthread_sigmask)(how, set, NULL); /* for new threads, and signals from outside */
    if (before != NULL) {
        set_of(old, before);
    }
    if (error == 0 && set != NULL) {
        uint64_t bits = bits_of(set);
        set_mask(self, how == SIG_BLOCK ? old | bits : how == SIG_UNBLOCK ? old & ~bits : bits);
    }
    return cs_leave(self, error);
}

CS_PUBLIC int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    int error = pthread_sigmask(how, set, before);
    if (error != 0) {
        errno = error;
        return -1;
    }
    return 0;
}

CS_PUBLIC int sigpending(sigset_t *set)
{
    CS_ENTER(self, CS_REAL(sigpending)(set));
    cs_step(CS_signal_sent, NULL, 0);
    set_of(states[self->number].pending | pending_for_all, set);
    return cs_leave(self, 0);
}

/* ---- waiting ---- */

struct awaited {
    uint64_t bits;    /* of sigwait */
    uint64_t handled; /* before: of pause */
};

static bool has_come(struct cs_thread *self, void *subject)
{
    const struct awaited *awaited = subject;
    const struct state *state = &states[self->number];
    return cs_must_cancel(self) || state->handled != awaited->handled
        || ((state->pending | pending_for_all) & awaited->bits) != 0;
}

static int wait_for(struct cs_thread *self, const sigset_t *set, uint64_t deadline)
{
    struct state *state = &states[self->number];
    struct awaited awaited = {.bits = bits_of(set), .handled = state->handled};
    if (!cs_block(CS_signal_handled, NULL, 0, has_come, &awaited, deadline)) {
        return -EAGAIN;
    }
    uint64_t found = (state->pending | pending_for_all) & awaited.bits;
    if (found == 0) {
        return -EINTR;
    }
    int signal = __builtin_ctzl(found) + 1;
    if (state->pending & BIT(signal)) {
        state->pending &= ~BIT(signal);
    } else {
        pending_for_all &= ~BIT(signal);
    }
    cs_done(self, (uint64_t)signal, 0);
    return signal;
}

CS_PUBLIC int sigwait(const sigset_t *set, int *number)
{
    CS_ENTER(self, CS_REAL(sigwait)(set, number));
    int found;
    do {
        found = wait_for(self, set, CS_NEVER);
    } while (found == -EINTR);
    *number = found;
    return cs_leave(self, 0);
}

CS_PUBLIC int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
    CS_ENTER(self, CS_REAL(sigtimedwait)(set, info, timeout));
    int found = wait_for(self, set, cs_elapsed(timeout));
    if (found < 0) {
        errno = -found;
        return cs_leave(self, -1);
    }
    if (info != NULL) {
        *info = (siginfo_t){.si_signo = found, .si_code = SI_USER};
    }
    return cs_leave(self, found);
}

CS_PUBLIC int sigwaitinfo(const sigset_t *set, siginfo_t *info) { return sigtimedwait(set, info, NULL); }

static int wait_for_handler(struct cs_thread *self)
{
    cs_step(CS_sleep, NULL, 0); /* a signal that comes before has no effect on the waiting */
    struct awaited awaited = {.handled = states[self->number].handled};
    cs_block(CS_signal_handled, NULL, 0, has_come, &awaited, CS_NEVER);
    cs_cancel_point(self);
    errno = EINTR;
    return -1;
}

CS_PUBLIC int pause(void)
{
    CS_ENTER(self, CS_REAL(pause)());
    return cs_leave(self, wait_for_handler(self));
}

CS_PUBLIC int sigsuspend(const sigset_t *set)
{
    CS_ENTER(self, CS_REAL(sigsuspend)(set));
    struct state *state = &states[self->number];
    uint64_t before = state->blocked, handled = state->handled;
    state->blocked = bits_of(set);
    take_those_for_all(self);
    cs_signal_now(self);
    if (state->handled == handled) {
        struct awaited awaited = {.handled = handled};
        cs_block(CS_signal_handled, NULL, 0, has_come, &awaited, CS_NEVER);
        cs_cancel_point(self);
    }
    state->blocked = before;
    update(self);
    errno = EINTR;
    return cs_leave(self, -1);
}

/* ---- alarms ---- */

uint64_t cs_set_alarm(uint64_t nanoseconds, uint64_t again, uint64_t *again_before)
{
    uint64_t before = cs_alarm == CS_NEVER ? 0 : cs_alarm > cs_now ? cs_alarm - cs_now : 1;
    *again_before = alarm_again;
    cs_alarm = nanoseconds == 0 ? CS_NEVER : cs_now + nanoseconds;
    alarm_again = again;
    return before;
}
