/* See channels.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "channels.h"
#include "raw.h"

#define DESCRIPTORS 4096

static struct cs_clock *channels[DESCRIPTORS]; /* NULL: not one that the program has made for itself */
static bool epolls[DESCRIPTORS];               /* of those */
static struct cs_clock others, all;            /* of all other descriptors; of all */
static bool shared_with_others;

static bool known(int descriptor)
{
    return descriptor >= 0 && descriptor < DESCRIPTORS && channels[descriptor] != NULL;
}

bool cs_descriptor_inside(int descriptor) { return known(descriptor) && !shared_with_others; }

void cs_channels_shared(void) { shared_with_others = true; }

bool cs_descriptor_talks(int descriptor)
{
    struct stat about;
    return known(descriptor)
        || (CS_SYSCALL2(SYS_fstat, descriptor, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)
            && !S_ISBLK(about.st_mode));
}

static struct cs_clock *channel_of(int descriptor) { return known(descriptor) ? channels[descriptor] : &others; }

void cs_channel_release(struct cs_thread *self, int descriptor)
{
    cs_release(self, channel_of(descriptor));
    cs_release(self, &all);
}

void cs_channel_acquire(struct cs_thread *self, int descriptor)
{
    cs_acquire(self, descriptor < 0 || (known(descriptor) && epolls[descriptor]) ? &all : channel_of(descriptor));
}

/* ---- waiting ---- */

static cs_ready predicates[8];
static uint32_t predicate_count;

static bool awaits_outside(const struct cs_thread *thread)
{
    for (uint32_t n = 0; n < predicate_count; n++) {
        if (thread->next.ready == predicates[n]) {
            return ((const struct cs_awaited *)thread->next.subject)->outside;
        }
    }
    return false;
}

static bool wait_a_little(void)
{
    bool waits = false;
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        waits |= cs_threads[n]->life == CS_LIVE && awaits_outside(cs_threads[n]);
    }
    if (waits) {
        struct timespec time = {.tv_nsec = 200000};
        cs_shared->result.world |= CS_WORLD_INPUT;
        CS_SYSCALL2(SYS_nanosleep, &time, 0);
    }
    return waits;
}

bool cs_block_awaiting(uint64_t object, int descriptor, cs_ready ready, struct cs_awaited *subject, uint64_t deadline)
{
    uint32_t n = 0;
    while (n < predicate_count && predicates[n] != ready) {
        n++;
    }
    if (n == predicate_count) {
        predicates[predicate_count++] = ready;
        cs_hooks.wait_for_world = wait_a_little;
    }
    return cs_block(CS_input_output, (const void *)object, (uint64_t)(int64_t)descriptor, ready, subject, deadline);
}

/* ---- descriptors that the program makes for itself ---- */

static void made(const int *descriptors, int count)
{
    struct cs_clock *channel = cs_allocate(sizeof *channel);
    for (int n = 0; n < count; n++) {
        if (descriptors[n] >= 0 && descriptors[n] < DESCRIPTORS) {
            channels[descriptors[n]] = channel;
            epolls[descriptors[n]] = false;
        }
    }
}

static int copied(int from, int to)
{
    if (to >= 0 && to < DESCRIPTORS) {
        channels[to] = known(from) ? channels[from] : NULL;
        epolls[to] = known(from) && epolls[from];
    }
    return to;
}

CS_PUBLIC int pipe(int ends[2])
{
    CS_ENTER(self, CS_REAL(pipe)(ends));
    int result = CS_REAL(pipe)(ends);
    if (result == 0) {
        made(ends, 2);
    }
    return cs_leave(self, result);
}

CS_PUBLIC int pipe2(int ends[2], int flags)
{
    CS_ENTER(self, CS_REAL(pipe2)(ends, flags));
    int result = CS_REAL(pipe2)(ends, flags);
    if (result == 0) {
        made(ends, 2);
    }
    return cs_leave(self, result);
}

CS_PUBLIC int socketpair(int domain, int type, int protocol, int ends[2])
{
    CS_ENTER(self, CS_REAL(socketpair)(domain, type, protocol, ends));
    int result = CS_REAL(socketpair)(domain, type, protocol, ends);
    if (result == 0) {
        made(ends, 2);
    }
    return cs_leave(self, result);
}

CS_PUBLIC int eventfd(unsigned value, int flags)
{
    CS_ENTER(self, CS_REAL(eventfd)(value, flags));
    int result = CS_REAL(eventfd)(value, flags);
    made(&result, 1);
    return cs_leave(self, result);
}

static int made_epoll(int descriptor)
{
    made(&descriptor, 1);
    if (known(descriptor)) {
        epolls[descriptor] = true;
    }
    return descriptor;
}

CS_PUBLIC int epoll_create(int size)
{
    CS_ENTER(self, CS_REAL(epoll_create)(size));
    return cs_leave(self, made_epoll(CS_REAL(epoll_create)(size)));
}

CS_PUBLIC int epoll_create1(int flags)
{
    CS_ENTER(self, CS_REAL(epoll_create1)(flags));
    return cs_leave(self, made_epoll(CS_REAL(epoll_create1)(flags)));
}

CS_PUBLIC int epoll_ctl(int set, int operation, int descriptor, struct epoll_event *event)
{
    CS_ENTER(self, CS_REAL(epoll_ctl)(set, operation, descriptor, event));
    cs_step(CS_input_output, (const void *)(uint64_t)set, (uint64_t)descriptor);
    cs_channel_release(self, set);
    if (operation == EPOLL_CTL_ADD && !known(descriptor) && known(set)) {
        channels[set] = NULL; /* it waits for others too */
    }
    return cs_leave(self, CS_REAL(epoll_ctl)(set, operation, descriptor, event));
}

CS_PUBLIC int dup(int descriptor)
{
    CS_ENTER(self, CS_REAL(dup)(descriptor));
    return cs_leave(self, copied(descriptor, CS_REAL(dup)(descriptor)));
}

CS_PUBLIC int dup2(int from, int to)
{
    CS_ENTER(self, CS_REAL(dup2)(from, to));
    return cs_leave(self, copied(from, CS_REAL(dup2)(from, to)));
}

CS_PUBLIC int dup3(int from, int to, int flags)
{
    CS_ENTER(self, CS_REAL(dup3)(from, to, flags));
    return cs_leave(self, copied(from, CS_REAL(dup3)(from, to, flags)));
}

CS_PUBLIC int close(int descriptor)
{
    CS_ENTER(self, CS_REAL(close)(descriptor));
    if (cs_descriptor_talks(descriptor)) {
        cs_step(CS_input_output, (const void *)(uint64_t)descriptor, (uint64_t)descriptor);
        cs_channel_release(self, descriptor);
    }
    copied(-1, descriptor);
    return cs_leave(self, CS_REAL(close)(descriptor));
}
