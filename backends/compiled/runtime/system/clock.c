/* Virtual time: all clocks show it, and sleeping is waiting for it. A run is the same at any time of day. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "system.h"

#define SECOND 1000000000ll
#define MICROSECOND 1000
#define EPOCH 1767225600ll /* of CLOCK_REALTIME: the begin of 2026 */
#define UPTIME 100000ll    /* of the clocks that count from the start of the system, in seconds */
#define FEW 16             /* readings of the clock between two visible operations */
#define NEAR 8             /* operations from one yield to the next where a thread spins */
#define PATIENT \
    8 /* yields after which a thread goes on only if no other thread can: functions that try \
       * a few times before they fail, as those of libstdc++ do, may fail */
#define MOST_SECONDS 8000000000ll /* as nanoseconds they fit */

static struct {
    uint64_t reading;  /* the number of the thread's operations at its last reading of a clock */
    uint32_t readings; /* since then */
    uint64_t yield;    /* the number of its operations at its last yield */
    uint32_t yielded;  /* yields in a row, with few operations between them */
} threads[CS_MOST_THREADS];

bool cs_valid_time(const struct timespec *time) { return time != NULL && time->tv_nsec >= 0 && time->tv_nsec < SECOND; }

static int64_t base_of(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
    case CLOCK_REALTIME_ALARM:
        return EPOCH * SECOND;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
        return UPTIME * SECOND;
    default: /* of the processor */
        return 0;
    }
}

static uint64_t later(int64_t nanoseconds) { return nanoseconds <= 0 ? cs_now : cs_now + (uint64_t)nanoseconds; }

static int64_t nanoseconds_of(const struct timespec *time)
{
    int64_t seconds = time->tv_sec > MOST_SECONDS ? MOST_SECONDS : time->tv_sec < 0 ? 0 : time->tv_sec;
    return seconds * SECOND + time->tv_nsec;
}

uint64_t cs_deadline(clockid_t clock, const struct timespec *time)
{
    if (time == NULL) {
        return CS_NEVER;
    }
    return later(nanoseconds_of(time) - base_of(clock) - (int64_t)cs_now);
}

static bool is_cancelled(struct cs_thread *self, void *nothing)
{
    (void)nothing;
    return cs_must_cancel(self);
}

void cs_sleep(struct cs_thread *self, uint64_t until)
{
    self->next = (struct cs_announced){
        .op = CS_sleep,
        .argument = until - cs_now,
        .ready = is_cancelled,
        .deadline = until,
        .sleeps = true,
    };
    cs_go(self);
    cs_cancel_point(self);
}

/* A thread that yields again soon waits for others: they go first. */
void cs_yield(struct cs_thread *self)
{
    bool near = threads[self->number].yielded > 0 && self->operations - threads[self->number].yield <= NEAR;
    threads[self->number].yielded = near ? threads[self->number].yielded + 1 : 1;
    bool spins = threads[self->number].yielded > PATIENT;
    self->next = (struct cs_announced){.op = CS_yield, .deadline = CS_NEVER, .sleeps = spins};
    cs_go(self);
    threads[self->number].yield = self->operations;
}

/* The time that a thread reads. One that does nothing else waits for the time to pass, so it passes faster. */
static int64_t time_of(struct cs_thread *self, clockid_t clock)
{
    cs_shared->result.world |= CS_WORLD_CLOCK;
    if (threads[self->number].reading != self->operations) {
        threads[self->number].reading = self->operations;
        threads[self->number].readings = 0;
    }
    uint32_t readings = ++threads[self->number].readings;
    cs_now += (uint64_t)readings * MICROSECOND;
    if (readings % FEW == 0) {
        cs_yield(self);
        threads[self->number].reading = self->operations;
        cs_now += (uint64_t)readings * readings * MICROSECOND;
    }
    return base_of(clock) + (int64_t)cs_now;
}

static struct timespec timespec_of(int64_t nanoseconds)
{
    return (struct timespec){.tv_sec = nanoseconds / SECOND, .tv_nsec = nanoseconds % SECOND};
}

CS_PUBLIC int clock_gettime(clockid_t clock, struct timespec *time)
{
    CS_ENTER(self, CS_REAL(clock_gettime)(clock, time));
    struct timespec resolution;
    int error = CS_REAL(clock_getres)(clock, &resolution);
    if (error == 0) {
        *time = timespec_of(time_of(self, clock));
    }
    return cs_leave(self, error);
}

CS_PUBLIC int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    CS_ENTER(self, CS_REAL(gettimeofday)(time, zone));
    int64_t now = time_of(self, CLOCK_REALTIME);
    if (zone != NULL) {
        memset(zone, 0, sizeof(struct timezone));
    }
    *time = (struct timeval){.tv_sec = now / SECOND, .tv_usec = now % SECOND / MICROSECOND};
    return cs_leave(self, 0);
}

CS_PUBLIC time_t time(time_t *place)
{
    CS_ENTER(self, CS_REAL(time)(place));
    time_t now = time_of(self, CLOCK_REALTIME) / SECOND;
    if (place != NULL) {
        *place = now;
    }
    return cs_leave(self, now);
}

CS_PUBLIC clock_t clock(void)
{
    CS_ENTER(self, CS_REAL(clock)());
    clock_t now = time_of(self, CLOCK_PROCESS_CPUTIME_ID) / (SECOND / CLOCKS_PER_SEC);
    return cs_leave(self, now);
}

CS_PUBLIC int timespec_get(struct timespec *time, int base)
{
    CS_ENTER(self, CS_REAL(timespec_get)(time, base));
    if (base == TIME_UTC) {
        *time = timespec_of(time_of(self, CLOCK_REALTIME));
    }
    return cs_leave(self, base == TIME_UTC ? base : 0);
}

CS_PUBLIC int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
    CS_ENTER(self, CS_REAL(clock_nanosleep)(clock, flags, time, rest));
    cs_cancel_point(self);
    if (!cs_valid_time(time) || clock == CLOCK_THREAD_CPUTIME_ID) {
        return cs_leave(self, EINVAL);
    }
    cs_sleep(self, flags & TIMER_ABSTIME ? cs_deadline(clock, time) : later(nanoseconds_of(time)));
    return cs_leave(self, 0);
}

CS_PUBLIC int nanosleep(const struct timespec *time, struct timespec *rest)
{
    CS_ENTER(self, CS_REAL(nanosleep)(time, rest));
    cs_cancel_point(self);
    if (!cs_valid_time(time) || time->tv_sec < 0) {
        errno = EINVAL;
        return cs_leave(self, -1);
    }
    cs_sleep(self, later(nanoseconds_of(time)));
    return cs_leave(self, 0);
}

CS_PUBLIC int usleep(useconds_t microseconds)
{
    CS_ENTER(self, CS_REAL(usleep)(microseconds));
    cs_cancel_point(self);
    cs_sleep(self, later((int64_t)microseconds * MICROSECOND));
    return cs_leave(self, 0);
}

CS_PUBLIC unsigned sleep(unsigned seconds)
{
    CS_ENTER(self, CS_REAL(sleep)(seconds));
    cs_cancel_point(self);
    cs_sleep(self, later(seconds * SECOND));
    return cs_leave(self, 0);
}

CS_PUBLIC int sched_yield(void)
{
    CS_ENTER(self, CS_REAL(sched_yield)());
    cs_yield(self);
    return cs_leave(self, 0);
}
