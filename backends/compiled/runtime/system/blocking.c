/* Reading and writing: never in a system call that waits while the thread has the baton. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channels.h"
#include "races.h"
#include "raw.h"

struct transfer {
    struct cs_awaited awaited;
    int descriptor;
    short events;
};

static bool can_transfer(struct cs_thread *self, void *subject)
{
    const struct transfer *transfer = subject;
    struct pollfd asked = {.fd = transfer->descriptor, .events = transfer->events};
    return cs_must_cancel(self) || CS_SYSCALL3(SYS_poll, &asked, 1, 0) != 0; /* an error is the real call's */
}

bool cs_await_descriptor(int descriptor, short events, bool waits)
{
    if (!cs_descriptor_talks(descriptor)) {
        return false;
    }
    long flags = CS_SYSCALL3(SYS_fcntl, descriptor, F_GETFL, 0);
    if (!waits || flags < 0 || (flags & O_NONBLOCK) != 0) {
        cs_step(CS_input_output, (const void *)(uint64_t)descriptor, (uint64_t)descriptor);
        return true;
    }
    struct transfer transfer = {
        .awaited.outside = !cs_descriptor_inside(descriptor), .descriptor = descriptor, .events = events};
    cs_block_awaiting((uint64_t)descriptor, descriptor, can_transfer, &transfer.awaited, CS_NEVER);
    cs_cancel_point(cs_self);
    return true;
}

static void touch(struct cs_thread *self, const void *buffer, ssize_t size, enum cs_access_kind kind)
{
    if (size > 0) {
        cs_range(self, buffer, (size_t)size, kind);
    }
}

/* After a call that reads from a descriptor that others notice. */
static ssize_t has_read(struct cs_thread *self, int descriptor, bool noticed, ssize_t result)
{
    int error = errno;
    if (noticed) {
        if (result != 0 && !cs_descriptor_inside(descriptor)) {
            cs_shared->result.world |= CS_WORLD_INPUT;
        }
        cs_done(self, (uint64_t)result, result < 0 ? CS_FAILED : 0);
        cs_channel_acquire(self, descriptor);
    }
    errno = error;
    return result;
}

CS_PUBLIC ssize_t read(int descriptor, void *buffer, size_t size)
{
    CS_ENTER(self, CS_REAL(read)(descriptor, buffer, size));
    bool noticed = cs_await_descriptor(descriptor, POLLIN, true);
    ssize_t result = has_read(self, descriptor, noticed, CS_REAL(read)(descriptor, buffer, size));
    touch(self, buffer, result, CS_ACCESS_WRITE);
    return cs_leave(self, result);
}

CS_PUBLIC ssize_t __read_chk(int descriptor, void *buffer, size_t size, size_t room);
CS_PUBLIC ssize_t __read_chk(int descriptor, void *buffer, size_t size, size_t room)
{
    return read(descriptor, buffer, size <= room ? size : room);
}

static void touch_parts(struct cs_thread *self, const struct iovec *parts, size_t count, ssize_t size,
                        enum cs_access_kind kind)
{
    for (size_t n = 0; n < count && size > 0; n++) {
        ssize_t part = parts[n].iov_len < (size_t)size ? (ssize_t)parts[n].iov_len : size;
        touch(self, parts[n].iov_base, part, kind);
        size -= part;
    }
}

CS_PUBLIC ssize_t readv(int descriptor, const struct iovec *parts, int count)
{
    CS_ENTER(self, CS_REAL(readv)(descriptor, parts, count));
    bool noticed = cs_await_descriptor(descriptor, POLLIN, true);
    ssize_t result = has_read(self, descriptor, noticed, CS_REAL(readv)(descriptor, parts, count));
    touch_parts(self, parts, (size_t)count, result, CS_ACCESS_WRITE);
    return cs_leave(self, result);
}

CS_PUBLIC ssize_t recvfrom(int socket, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *length)
{
    CS_ENTER(self, CS_REAL(recvfrom)(socket, buffer, size, flags, from, length));
    ssize_t result, total = 0;
    do { /* MSG_WAITALL waits for the rest, too */
        bool noticed = cs_await_descriptor(socket, POLLIN, (flags & MSG_DONTWAIT) == 0);
        result = has_read(self, socket, noticed,
                          CS_REAL(recvfrom)(socket, (char *)buffer + total, size - (size_t)total, flags & ~MSG_WAITALL,
                                            from, length));
        touch(self, (char *)buffer + total, result, CS_ACCESS_WRITE);
        total += result > 0 ? result : 0;
    } while ((flags & MSG_WAITALL) != 0 && result > 0 && (size_t)total < size);
    return cs_leave(self, total > 0 ? total : result);
}

CS_PUBLIC ssize_t recv(int socket, void *buffer, size_t size, int flags)
{
    return recvfrom(socket, buffer, size, flags, NULL, NULL);
}

CS_PUBLIC ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
    CS_ENTER(self, CS_REAL(recvmsg)(socket, message, flags));
    bool noticed = cs_await_descriptor(socket, POLLIN, (flags & MSG_DONTWAIT) == 0);
    ssize_t result = has_read(self, socket, noticed, CS_REAL(recvmsg)(socket, message, flags));
    touch_parts(self, message->msg_iov, message->msg_iovlen, result, CS_ACCESS_WRITE);
    return cs_leave(self, result);
}

/* ---- writing ---- */

enum { PIECE = 4096 }; /* what a pipe that is ready takes at once */

static ssize_t has_written(struct cs_thread *self, bool noticed, ssize_t result)
{
    int error = errno;
    if (noticed) {
        cs_done(self, (uint64_t)result, result < 0 ? CS_FAILED : 0);
    }
    errno = error;
    return result;
}

/* Write in pieces that do not have to wait. */
CS_PUBLIC ssize_t write(int descriptor, const void *buffer, size_t size)
{
    CS_ENTER(self, CS_REAL(write)(descriptor, buffer, size));
    touch(self, buffer, (ssize_t)size, CS_ACCESS_READ);
    ssize_t total = 0, result;
    do {
        bool noticed = cs_await_descriptor(descriptor, POLLOUT, true);
        size_t piece = size - (size_t)total;
        bool whole = !noticed || piece <= PIECE || (CS_SYSCALL3(SYS_fcntl, descriptor, F_GETFL, 0) & O_NONBLOCK) != 0;
        if (noticed) {
            cs_channel_release(self, descriptor);
        }
        result =
            has_written(self, noticed, CS_REAL(write)(descriptor, (const char *)buffer + total, whole ? piece : PIECE));
        total += result > 0 ? result : 0;
        if (whole) {
            break;
        }
    } while (result > 0 && (size_t)total < size);
    return cs_leave(self, total > 0 ? total : result);
}

CS_PUBLIC ssize_t writev(int descriptor, const struct iovec *parts, int count)
{
    CS_ENTER(self, CS_REAL(writev)(descriptor, parts, count));
    touch_parts(self, parts, (size_t)count, SSIZE_MAX, CS_ACCESS_READ);
    bool noticed = cs_await_descriptor(descriptor, POLLOUT, true);
    if (noticed) {
        cs_channel_release(self, descriptor);
    }
    return cs_leave(self, has_written(self, noticed, CS_REAL(writev)(descriptor, parts, count)));
}

CS_PUBLIC ssize_t sendto(int socket, const void *buffer, size_t size, int flags, const struct sockaddr *to,
                         socklen_t length)
{
    CS_ENTER(self, CS_REAL(sendto)(socket, buffer, size, flags, to, length));
    touch(self, buffer, (ssize_t)size, CS_ACCESS_READ);
    bool waits = (flags & MSG_DONTWAIT) == 0 && (CS_SYSCALL3(SYS_fcntl, socket, F_GETFL, 0) & O_NONBLOCK) == 0;
    ssize_t total = 0, result;
    do {
        bool noticed = cs_await_descriptor(socket, POLLOUT, waits);
        cs_channel_release(self, socket);
        result = has_written(self, noticed,
                             CS_REAL(sendto)(socket, (const char *)buffer + total, size - (size_t)total,
                                             flags | MSG_DONTWAIT, to, length));
        total += result > 0 ? result : 0;
    } while (waits && (result > 0 || (result < 0 && errno == EAGAIN)) && (size_t)total < size);
    return cs_leave(self, total > 0 ? total : result);
}

CS_PUBLIC ssize_t send(int socket, const void *buffer, size_t size, int flags)
{
    return sendto(socket, buffer, size, flags, NULL, 0);
}

CS_PUBLIC ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
    CS_ENTER(self, CS_REAL(sendmsg)(socket, message, flags));
    touch_parts(self, message->msg_iov, message->msg_iovlen, SSIZE_MAX, CS_ACCESS_READ);
    bool noticed = cs_await_descriptor(socket, POLLOUT, (flags & MSG_DONTWAIT) == 0);
    cs_channel_release(self, socket);
    return cs_leave(self, has_written(self, noticed, CS_REAL(sendmsg)(socket, message, flags)));
}

/* ---- connections ---- */

CS_PUBLIC int accept4(int socket, struct sockaddr *from, socklen_t *length, int flags)
{
    CS_ENTER(self, CS_REAL(accept4)(socket, from, length, flags));
    bool noticed = cs_await_descriptor(socket, POLLIN, true);
    int result = (int)has_read(self, socket, noticed, CS_REAL(accept4)(socket, from, length, flags));
    return cs_leave(self, result);
}

CS_PUBLIC int accept(int socket, struct sockaddr *from, socklen_t *length) { return accept4(socket, from, length, 0); }

CS_PUBLIC int connect(int socket, const struct sockaddr *to, socklen_t length)
{
    CS_ENTER(self, CS_REAL(connect)(socket, to, length));
    bool noticed = cs_await_descriptor(socket, 0, false);
    cs_channel_release(self, socket);
    return cs_leave(self, (int)has_written(self, noticed, CS_REAL(connect)(socket, to, length)));
}

/* ---- processes ---- */

struct children {
    struct cs_awaited awaited;
    idtype_t type;
    id_t id;
};

static bool has_child(struct cs_thread *self, void *subject)
{
    const struct children *children = subject;
    siginfo_t info = {.si_pid = 0};
    (void)self;
    return CS_SYSCALL6(SYS_waitid, children->type, children->id, &info, WEXITED | WNOHANG | WNOWAIT, 0, 0) != 0
        || info.si_pid != 0;
}

CS_PUBLIC pid_t waitpid(pid_t process, int *status, int options)
{
    CS_ENTER(self, CS_REAL(waitpid)(process, status, options));
    struct children children = {
        .awaited.outside = true,
        .type = process > 0 ? P_PID
            : process == -1 ? P_ALL
                            : P_PGID,
        .id = process > 0  ? (id_t)process
            : process < -1 ? (id_t)-process
                           : 0,
    };
    cs_shared->result.world |= CS_WORLD_PROCESS;
    if ((options & WNOHANG) != 0) {
        cs_step(CS_input_output, NULL, 0);
    } else {
        cs_block_awaiting(0, -1, has_child, &children.awaited, CS_NEVER);
    }
    pid_t result = CS_REAL(waitpid)(process, status, options);
    return cs_leave(self, (pid_t)has_read(self, -1, true, result));
}

CS_PUBLIC pid_t wait(int *status) { return waitpid(-1, status, 0); }
