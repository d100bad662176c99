/* Waiting for several descriptors. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "channels.h"
#include "raw.h"
#include "system.h"

#define MILLISECOND 1000000ul

static uint64_t deadline_in(int milliseconds)
{
    return milliseconds < 0 ? CS_NEVER : cs_now + (uint64_t)milliseconds * MILLISECOND;
}

static uint64_t object_of(int descriptor) { return descriptor < 0 ? 0 : (uint64_t)descriptor; }

/* ---- poll ---- */

struct polled {
    struct cs_awaited awaited;
    struct pollfd *descriptors;
    nfds_t count;
};

static bool is_polled(struct cs_thread *self, void *subject)
{
    const struct polled *polled = subject;
    return cs_must_cancel(self) || CS_SYSCALL3(SYS_poll, polled->descriptors, polled->count, 0) != 0;
}

static int poll_until(struct cs_thread *self, struct pollfd *descriptors, nfds_t count, uint64_t deadline, bool waits)
{
    struct polled polled = {.descriptors = descriptors, .count = count};
    for (nfds_t n = 0; n < count; n++) {
        polled.awaited.outside |= descriptors[n].fd >= 0 && !cs_descriptor_inside(descriptors[n].fd);
    }
    int first = count > 0 ? descriptors[0].fd : -1;
    if (waits) {
        cs_block_awaiting(object_of(first), first, is_polled, &polled.awaited, deadline);
    } else {
        cs_step(CS_input_output, (const void *)object_of(first), (uint64_t)(int64_t)first);
    }
    cs_cancel_point(self);
    long result = CS_SYSCALL3(SYS_poll, descriptors, count, 0);
    for (nfds_t n = 0; n < count; n++) {
        if (result > 0 && descriptors[n].revents != 0) {
            cs_channel_acquire(self, descriptors[n].fd);
        }
    }
    cs_done(self, (uint64_t)result, result > 0 ? 0 : CS_FAILED);
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return (int)result;
}

CS_PUBLIC int poll(struct pollfd *descriptors, nfds_t count, int timeout)
{
    CS_ENTER(self, CS_REAL(poll)(descriptors, count, timeout));
    return cs_leave(self, poll_until(self, descriptors, count, deadline_in(timeout), timeout != 0));
}

CS_PUBLIC int __poll_chk(struct pollfd *descriptors, nfds_t count, int timeout, size_t room);
CS_PUBLIC int __poll_chk(struct pollfd *descriptors, nfds_t count, int timeout, size_t room)
{
    return poll(descriptors, count <= room / sizeof *descriptors ? count : room / sizeof *descriptors, timeout);
}

CS_PUBLIC int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *signals)
{
    CS_ENTER(self, CS_REAL(ppoll)(descriptors, count, timeout, signals));
    return cs_leave(self, poll_until(self, descriptors, count, cs_elapsed(timeout), true));
}

/* ---- select ---- */

struct selected {
    struct cs_awaited awaited;
    int count;
    fd_set *given[3];
};

static long select_now(const struct selected *selected, fd_set *found)
{
    struct timeval none = {0};
    for (int n = 0; n < 3; n++) {
        if (selected->given[n] != NULL) {
            found[n] = *selected->given[n];
        }
    }
    return cs_syscall(SYS_select, selected->count, (long)(selected->given[0] != NULL ? &found[0] : NULL),
                      (long)(selected->given[1] != NULL ? &found[1] : NULL),
                      (long)(selected->given[2] != NULL ? &found[2] : NULL), (long)&none, 0);
}

static bool is_selected(struct cs_thread *self, void *subject)
{
    fd_set found[3];
    return cs_must_cancel(self) || select_now(subject, found) != 0;
}

static int select_until(struct cs_thread *self, struct selected *selected, uint64_t deadline)
{
    fd_set found[3];
    int first = -1;
    for (int n = 0; n < selected->count; n++) {
        bool asked = false;
        for (int kind = 0; kind < 3; kind++) {
            asked |= selected->given[kind] != NULL && FD_ISSET(n, selected->given[kind]);
        }
        first = asked && first < 0 ? n : first;
        selected->awaited.outside |= asked && !cs_descriptor_inside(n);
    }
    cs_block_awaiting(object_of(first), first, is_selected, &selected->awaited, deadline);
    cs_cancel_point(self);
    long result = select_now(selected, found);
    cs_channel_acquire(self, -1);
    cs_done(self, (uint64_t)result, result > 0 ? 0 : CS_FAILED);
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    for (int n = 0; n < 3; n++) {
        if (selected->given[n] != NULL) {
            *selected->given[n] = found[n];
        }
    }
    return (int)result;
}

CS_PUBLIC int select(int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout)
{
    CS_ENTER(self, CS_REAL(select)(count, reads, writes, others, timeout));
    struct selected selected = {.count = count, .given = {reads, writes, others}};
    struct timespec time = {0};
    if (timeout != NULL) {
        time = (struct timespec){.tv_sec = timeout->tv_sec, .tv_nsec = timeout->tv_usec * 1000};
    }
    return cs_leave(self, select_until(self, &selected, cs_elapsed(timeout != NULL ? &time : NULL)));
}

CS_PUBLIC int pselect(int count, fd_set *reads, fd_set *writes, fd_set *others, const struct timespec *timeout,
                      const sigset_t *signals)
{
    CS_ENTER(self, CS_REAL(pselect)(count, reads, writes, others, timeout, signals));
    struct selected selected = {.count = count, .given = {reads, writes, others}};
    return cs_leave(self, select_until(self, &selected, cs_elapsed(timeout)));
}

/* ---- epoll ---- */

CS_PUBLIC int epoll_wait(int set, struct epoll_event *events, int most, int timeout)
{
    CS_ENTER(self, CS_REAL(epoll_wait)(set, events, most, timeout));
    struct pollfd asked = {.fd = set, .events = POLLIN};
    poll_until(self, &asked, 1, deadline_in(timeout), timeout != 0);
    cs_channel_acquire(self, -1);
    return cs_leave(self, CS_REAL(epoll_wait)(set, events, most, 0));
}

CS_PUBLIC int epoll_pwait(int set, struct epoll_event *events, int most, int timeout, const sigset_t *signals)
{
    (void)signals;
    return epoll_wait(set, events, most, timeout);
}
