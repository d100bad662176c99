/* Sending signals. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "raw.h"
#include "signals.h"
#include "system.h"

#define SECOND 1000000000ul
#define MICROSECOND 1000ul

static bool is_ours(int signal)
{
    return signal > 0 && signal < 65 && signal != SIGKILL && signal != SIGSTOP && !cs_is_fatal(signal);
}

static void send(struct cs_thread *self, int signal, struct cs_thread *thread)
{
    cs_step(CS_signal_sent, thread != NULL ? (const void *)thread->handle : NULL, (uint64_t)signal);
    cs_signal_send(signal, thread);
    cs_signal_now(self);
}

CS_PUBLIC int raise(int signal)
{
    CS_ENTER(self, CS_REAL(raise)(signal));
    if (!is_ours(signal)) {
        self->inside = false;
        return CS_REAL(raise)(signal);
    }
    send(self, signal, self);
    return cs_leave(self, 0);
}

CS_PUBLIC int pthread_kill(pthread_t handle, int signal)
{
    CS_ENTER(self, CS_REAL(pthread_kill)(handle, signal));
    struct cs_thread *thread = cs_thread_of(handle);
    if (thread == NULL || !is_ours(signal)) {
        self->inside = false;
        return CS_REAL(pthread_kill)(handle, signal);
    }
    if (thread->life == CS_LIVE) {
        send(self, signal, thread);
    }
    return cs_leave(self, 0);
}

CS_PUBLIC int kill(pid_t process, int signal)
{
    CS_ENTER(self, CS_REAL(kill)(process, signal));
    if (process != (pid_t)CS_SYSCALL1(SYS_getpid, 0) || !is_ours(signal)) {
        self->inside = false;
        return CS_REAL(kill)(process, signal);
    }
    send(self, signal, NULL);
    return cs_leave(self, 0);
}

/* ---- alarms ---- */

CS_PUBLIC unsigned alarm(unsigned seconds)
{
    CS_ENTER(self, CS_REAL(alarm)(seconds));
    uint64_t again, before = cs_set_alarm(seconds * SECOND, 0, &again);
    return cs_leave(self, (unsigned)((before + SECOND - 1) / SECOND));
}

static uint64_t nanoseconds_of(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_usec * MICROSECOND;
}

static struct timeval time_of(uint64_t nanoseconds)
{
    return (struct timeval){.tv_sec = (time_t)(nanoseconds / SECOND),
                            .tv_usec = (suseconds_t)(nanoseconds % SECOND / MICROSECOND)};
}

CS_PUBLIC int setitimer(__itimer_which_t which, const struct itimerval *value, struct itimerval *before)
{
    CS_ENTER(self, CS_REAL(setitimer)(which, value, before));
    if (which != ITIMER_REAL || value == NULL) {
        return cs_leave(self, CS_REAL(setitimer)(which, value, before));
    }
    uint64_t again;
    uint64_t rest = cs_set_alarm(nanoseconds_of(&value->it_value), nanoseconds_of(&value->it_interval), &again);
    if (before != NULL) {
        *before = (struct itimerval){.it_interval = time_of(again), .it_value = time_of(rest)};
    }
    return cs_leave(self, 0);
}

/* Its functions would run in threads of the C library that are not ours. */
CS_PUBLIC int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
    CS_ENTER(self, CS_REAL(timer_create)(clock, event, timer));
    if (event != NULL && event->sigev_notify == SIGEV_THREAD) {
        cs_end(CS_END_unhandled, 0, NULL, 0, "timer_create");
    }
    return cs_leave(self, CS_REAL(timer_create)(clock, event, timer));
}
