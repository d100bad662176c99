/* Descriptors whose two ends belong to the program: pipes, pairs of connected sockets, event counters (eventfd).
 *
 * A program that makes such descriptors calls f__cs7 where it calls f and there is such a function. Descriptor 3 + k
 * leads to an open file, whose number plus one is in `descriptor[k]`. Open files are numbered from 0 and not used
 * again. Files of kind 1 are read, files of kind 2 written, of kind 3 sockets; 4 is an event counter, 5 one that
 * counts as a semaphore does. The bytes that are written and not yet read are in a channel. `file_in` and `file_out`
 * say which channel a file reads and writes.
 *
 * A descriptor below 3, or from 19, belongs to a file that something outside the program may write or read: the models
 * in stdio.c apply. Linux lets 65536 bytes wait in a pipe before a write blocks; fuller than 64 bytes is a cut here.
 *
 * A call first finds the open file, then waits and acts, in two steps: as in Linux, the thread keeps the file if
 * another one closes the descriptor meanwhile. It then goes on waiting. To go on after that is a cut, because the end
 * counts as open until then. `broken` says that such a difference may have been seen: a write found no reader. */

unsigned char __cs_descriptor[16];
unsigned char __cs_files;
unsigned char __cs_channels;
unsigned int __cs_files_open;
unsigned char __cs_file_kind[16];
unsigned char __cs_file_in[16];
unsigned char __cs_file_out[16];
unsigned char __cs_file_does_not_block[16];
unsigned long long __cs_file_count[16];
unsigned char __cs_channel_readers[8];
unsigned char __cs_channel_writers[8];
unsigned char __cs_channel_used[8];
unsigned char __cs_channel_start[8];
unsigned char __cs_channel_broken[8];
char __cs_channel_bytes[512];

int __cs_file_fails(int error) {
    *__errno_location() = error;
    return -1;
}

/* Opens a file, and returns the lowest descriptor that is free. */
int __cs_file_opens(int kind, int in, int out, int flags) {
    int at = 0;
    while (at < 16 && __cs_descriptor[at] != 0)
        at++;
    __CSEQ_unwound(at < 16 && __cs_files < 16, DESCRIPTORS, 16);
    if (at >= 16 || __cs_files >= 16)
        return -1;
    __cs_file_kind[__cs_files] = kind;
    __cs_file_in[__cs_files] = in;
    __cs_file_out[__cs_files] = out;
    __cs_file_does_not_block[__cs_files] = (flags & 2048) != 0;
    __cs_files_open |= 1U << __cs_files;
    __cs_files++;
    __cs_descriptor[at] = __cs_files;
    return at + 3;
}

int pipe2(int *files, int flags) {
    if ((flags & ~542720) != 0)
        return __cs_file_fails(__CSEQ_EINVAL);
    __CSEQ_unwound((flags & 16384) == 0, DESCRIPTOR_FLAGS);
    __CSEQ_unwound(__cs_channels < 8, DESCRIPTORS, 16);
    if (__cs_channels >= 8)
        return -1;
    files[0] = __cs_file_opens(1, __cs_channels, 0, flags);
    files[1] = __cs_file_opens(2, 0, __cs_channels, flags);
    __cs_channel_readers[__cs_channels] = 1;
    __cs_channel_writers[__cs_channels] = 1;
    __cs_channels++;
    return 0;
}

int pipe(int *files) {
    return pipe2(files, 0);
}

int socketpair(int domain, int type, int protocol, int *files) {
    __CSEQ_unwound(domain == 1 && (type & ~526336) == 1 && protocol == 0, DESCRIPTOR_FLAGS);
    __CSEQ_unwound(__cs_channels < 7, DESCRIPTORS, 16);
    if (__cs_channels >= 7)
        return -1;
    files[0] = __cs_file_opens(3, __cs_channels, __cs_channels + 1, type);
    files[1] = __cs_file_opens(3, __cs_channels + 1, __cs_channels, type);
    __cs_channel_readers[__cs_channels] = 1;
    __cs_channel_writers[__cs_channels] = 1;
    __cs_channel_readers[__cs_channels + 1] = 1;
    __cs_channel_writers[__cs_channels + 1] = 1;
    __cs_channels += 2;
    return 0;
}

int eventfd(unsigned int count, int flags) {
    if ((flags & ~526337) != 0)
        return __cs_file_fails(__CSEQ_EINVAL);
    int file = __cs_file_opens(flags & 1 ? 5 : 4, 0, 0, flags);
    if (__cs_files > 0)
        __cs_file_count[__cs_files - 1] = count;
    return file;
}

/* The open file of a descriptor, plus one; 0 if it has none; -1 if it is not one of those here. */
int __cs_file_of(int file) {
    if (file >= 3 && file < 19)
        return __cs_descriptor[file - 3];
    return file < 0 ? 0 : -1;
}

int __cs_step_file_of(int file) {
    return __cs_file_of(file);
}

int close__cs7(int file) {
    int held = __cs_file_of(file);
    __CSEQ_unwound(file < 0 || file > 2, STANDARD_CLOSED);
    if (held < 0)
        return __CSEQ_nondet_bool() ? 0 : -1;
    if (held == 0)
        return __cs_file_fails(__CSEQ_EBADF);
    __cs_descriptor[file - 3] = 0;
    __cs_files_open &= ~(1U << (held - 1));
    int kind = __cs_file_kind[held - 1];
    if (kind == 1 || kind == 3)
        __cs_channel_readers[__cs_file_in[held - 1]]--;
    if (kind == 2 || kind == 3)
        __cs_channel_writers[__cs_file_out[held - 1]]--;
    __CSEQ_unwound(kind != 3 || __cs_channel_used[__cs_file_in[held - 1]] == 0, CLOSED_UNREAD);
    return 0;
}

int __cs_file_is_open(int held) {
    return (__cs_files_open >> (held - 1) & 1) != 0;
}

/* Whether a read would end now, as far as the data is concerned. */
int __cs_file_has_data(int held) {
    if (__cs_file_kind[held - 1] >= 4)
        return __cs_file_count[held - 1] > 0;
    return __cs_channel_used[__cs_file_in[held - 1]] > 0 || __cs_channel_writers[__cs_file_in[held - 1]] == 0;
}

long __cs_file_reads_count(int held, void *buffer) {
    unsigned long long count = __cs_file_count[held - 1];
    int at = 0;
    if (count == 0)
        return __cs_file_fails(__CSEQ_EAGAIN);
    if (__cs_file_kind[held - 1] == 5)
        count = 1;
    __cs_file_count[held - 1] -= count;
    while (at < 8) {
        ((char *)buffer)[at] = (char)(count >> 8 * at);
        at++;
    }
    return 8;
}

long __cs_file_reads_bytes(int in, void *buffer, unsigned long size) {
    unsigned int at = 0, used = __cs_channel_used[in], start = __cs_channel_start[in];
    if (size > 0 && used == 0 && __cs_channel_writers[in] > 0)
        return __cs_file_fails(__CSEQ_EAGAIN);
    while (at < 64 && at < size && at < used) {
        ((char *)buffer)[at] = __cs_channel_bytes[64 * in + (start + at) % 64];
        __cs_channel_bytes[64 * in + (start + at) % 64] = 0;
        at++;
    }
    __cs_channel_used[in] = used - at;
    __cs_channel_start[in] = used == at ? 0 : (start + at) % 64;
    return at;
}

long __cs_file_reads(int held, void *buffer, unsigned long size, int now) {
    if (held == 0 || __cs_file_kind[held - 1] == 2)
        return __cs_file_fails(__CSEQ_EBADF);
    int counts = __cs_file_kind[held - 1] >= 4;
    if (counts && size < 8)
        return __cs_file_fails(__CSEQ_EINVAL);
    int ready = size == 0 || now || __cs_file_does_not_block[held - 1] || __cs_file_has_data(held);
    __CSEQ_wait(ready || (!counts && __cs_channel_broken[__cs_file_in[held - 1]]));
    __CSEQ_unwound(__cs_file_is_open(held), CLOSED_IN_USE);
    return counts ? __cs_file_reads_count(held, buffer) : __cs_file_reads_bytes(__cs_file_in[held - 1], buffer, size);
}

long __cs_step_read(int held, void *buffer, unsigned long size, int now) {
    return __cs_file_reads(held, buffer, size, now);
}

long read__cs7(int file, void *buffer, unsigned long size) {
    int __cs_held = __cs_step_file_of(file);
    if (__cs_held < 0)
        return read(file, buffer, size);
    return __cs_step_read(__cs_held, buffer, size, 0);
}

long recv__cs7(int file, void *buffer, unsigned long size, int flags) {
    int __cs_held = __cs_step_file_of(file);
    __CSEQ_unwound(__cs_held >= 0 && (flags & ~64) == 0, DESCRIPTOR_FLAGS);
    if (__cs_held < 0)
        return -1;
    return __cs_step_read(__cs_held, buffer, size, flags);
}

unsigned long long __cs_file_given(const void *buffer) {
    unsigned long long count = 0;
    int at = 0;
    while (at < 8) {
        count |= (unsigned long long)((const unsigned char *)buffer)[at] << 8 * at;
        at++;
    }
    return count;
}

long __cs_file_adds(int held, unsigned long long count) {
    if (count == 0xffffffffffffffffULL)
        return __cs_file_fails(__CSEQ_EINVAL);
    int ready = count <= 0xfffffffffffffffeULL - __cs_file_count[held - 1];
    __CSEQ_wait(ready || __cs_file_does_not_block[held - 1]);
    __CSEQ_unwound(__cs_file_is_open(held), CLOSED_IN_USE);
    if (!ready)
        return __cs_file_fails(__CSEQ_EAGAIN);
    __cs_file_count[held - 1] += count;
    return 8;
}

long __cs_step_add(int held, unsigned long long count) {
    return __cs_file_adds(held, count);
}

long __cs_step_write_count(int held, const void *buffer, unsigned long size) {
    if (size < 8)
        return __cs_file_fails(__CSEQ_EINVAL);
    return __cs_file_adds(held, __cs_file_given(buffer));
}

/* Returns -2 if there is no reader. */
long __cs_step_write_bytes(int held, const void *buffer, unsigned long size) {
    if (held == 0 || __cs_file_kind[held - 1] == 1)
        return __cs_file_fails(__CSEQ_EBADF);
    __CSEQ_unwound(__cs_file_is_open(held), CLOSED_IN_USE);
    int out = __cs_file_out[held - 1];
    if (size == 0)
        return 0;
    if (__cs_channel_readers[out] == 0) {
        __cs_channel_broken[out] = 1;
        __cs_file_fails(__CSEQ_EPIPE);
        return -2;
    }
    unsigned int at = 0, used = __cs_channel_used[out], start = __cs_channel_start[out];
    __CSEQ_unwound(size <= 64 && used + size <= 64, CHANNEL_ROOM, 64);
    while (at < 64 && at < size && used + at < 64) {
        __cs_channel_bytes[64 * out + (start + used + at) % 64] = ((const char *)buffer)[at];
        at++;
    }
    __cs_channel_used[out] = used + at;
    return at;
}

int __cs_step_counts(int held) {
    return held > 0 && __cs_file_kind[held - 1] >= 4;
}

/* What a process gets that writes where there is no reader: the three-address stage says what that does. */
void __cs_broken_pipe(void) {
}

long write__cs7(int file, const void *buffer, unsigned long size) {
    int __cs_held = __cs_step_file_of(file);
    if (__cs_held < 0) {
        long __cs_any = __CSEQ_nondet_long();
        __CSEQ_assume(__cs_any >= -1 && (__cs_any < 0 || (unsigned long)__cs_any <= size));
        return __cs_any;
    }
    if (__cs_step_counts(__cs_held))
        return __cs_step_write_count(__cs_held, buffer, size);
    long __cs_done = __cs_step_write_bytes(__cs_held, buffer, size);
    if (__cs_done == -2) {
        __cs_broken_pipe();
        __cs_done = -1;
    }
    return __cs_done;
}

long send__cs7(int file, const void *buffer, unsigned long size, int flags) {
    int __cs_held = __cs_step_file_of(file);
    __CSEQ_unwound(__cs_held >= 0 && (flags & ~16448) == 0, DESCRIPTOR_FLAGS);
    if (__cs_held < 0)
        return -1;
    long __cs_done = __cs_step_write_bytes(__cs_held, buffer, size);
    if (__cs_done == -2) {
        if ((flags & 16384) == 0)
            __cs_broken_pipe();
        __cs_done = -1;
    }
    return __cs_done;
}

int eventfd_read(int file, void *count) {
    int __cs_held = __cs_step_file_of(file);
    int __cs_counts = __cs_step_counts(__cs_held);
    __CSEQ_unwound(__cs_counts, DESCRIPTOR_FLAGS);
    if (!__cs_counts)
        return -1;
    return __cs_step_read(__cs_held, count, 8, 0) == 8 ? 0 : -1;
}

int eventfd_write(int file, unsigned long long count) {
    int __cs_held = __cs_step_file_of(file);
    int __cs_counts = __cs_step_counts(__cs_held);
    __CSEQ_unwound(__cs_counts, DESCRIPTOR_FLAGS);
    if (!__cs_counts)
        return -1;
    return __cs_step_add(__cs_held, count) == 8 ? 0 : -1;
}

/* Waiting for several descriptors. What is asked for descriptors of other files may be so at any time. */

/* The events of a descriptor, as poll(2) numbers them, among those that are asked for. */
int __cs_file_events(int held, int asked) {
    int events = 0, kind = __cs_file_kind[held - 1];
    if (kind != 2 && __cs_file_has_data(held))
        events |= kind == 1 && __cs_channel_used[__cs_file_in[held - 1]] == 0 ? 16 : 65;
    if (kind == 3 && __cs_channel_writers[__cs_file_in[held - 1]] == 0)
        events |= 8208;
    if (kind == 1 && __cs_channel_writers[__cs_file_in[held - 1]] == 0)
        events |= 16;
    if (kind == 2 || kind == 3 || (kind >= 4 && __cs_file_count[held - 1] < 0xfffffffffffffffeULL))
        events |= 260;
    if (kind == 2 && __cs_channel_readers[__cs_file_out[held - 1]] == 0)
        events |= 8;
    return events & (asked | 24);
}

int __cs_file_events_of(int file, int asked) {
    int held = __cs_file_of(file), events = 0;
    if (held < 0) {
        events |= __CSEQ_nondet_bool() ? 67 : 0;
        events |= __CSEQ_nondet_bool() ? 260 : 0;
        events |= __CSEQ_nondet_bool() ? 8 : 0;
        events |= __CSEQ_nondet_bool() ? 8208 : 0;
        return events & (asked | 24);
    }
    return held == 0 ? 32 : __cs_file_events(held, asked);
}

/* The open files among the descriptors, bit k for file k. */
unsigned int __cs_step_polled(const struct pollfd *files, unsigned long count) {
    unsigned int held = 0, at = 0;
    __CSEQ_unwound(count <= 8, POLLED, 8);
    while (at < 8 && at < count) {
        if (__cs_file_of(files[at].fd) > 0)
            held |= 1U << (__cs_file_of(files[at].fd) - 1);
        at++;
    }
    return held;
}

/* Whether a poll would end now. */
int __cs_polled_ends(const struct pollfd *files, unsigned long count, int time, unsigned int held) {
    unsigned int at = 0, ends = time >= 0 || (held & ~__cs_files_open) != 0;
    while (at < 8 && at < count) {
        if (files[at].fd >= 0 && (__cs_file_of(files[at].fd) <= 0 || __cs_file_events_of(files[at].fd, files[at].events) != 0))
            ends = 1;
        at++;
    }
    return ends;
}

int __cs_file_polls(struct pollfd *files, unsigned long count, int time, unsigned int held) {
    unsigned int at = 0, ready = 0;
    __CSEQ_wait(__cs_polled_ends(files, count, time, held));
    __CSEQ_unwound((held & ~__cs_files_open) == 0, CLOSED_IN_USE);
    while (at < 8 && at < count) {
        files[at].revents = files[at].fd < 0 ? 0 : __cs_file_events_of(files[at].fd, files[at].events);
        if (files[at].revents != 0)
            ready++;
        at++;
    }
    __CSEQ_assume(time >= 0 || ready > 0);
    return ready;
}

int __cs_step_poll(struct pollfd *files, unsigned long count, int time, unsigned int held) {
    return __cs_file_polls(files, count, time, held);
}

int poll__cs7(struct pollfd *files, unsigned long count, int time) {
    if (count == 0 && time < 0)
        pause();
    unsigned int __cs_held = __cs_step_polled(files, count);
    return __cs_step_poll(files, count, time, __cs_held);
}

unsigned int __cs_file_set(const unsigned long *set, int count) {
    return set == 0 ? 0 : (unsigned int)set[0] & ~(~0U << count);
}

/* The open files of a set of descriptors. */
unsigned int __cs_files_in(unsigned int set) {
    unsigned int held = 0;
    int at = 3;
    while (at < 19) {
        if ((set >> at & 1) != 0 && __cs_descriptor[at - 3] != 0)
            held |= 1U << (__cs_descriptor[at - 3] - 1);
        at++;
    }
    return held;
}

/* Those among the descriptors of a set that are ready: bit k for descriptor k. */
unsigned int __cs_files_ready(unsigned int set, int asked) {
    unsigned int ready = 0;
    int at = 0;
    while (at < 32) {
        if ((set >> at & 1) != 0 && (__cs_file_events_of(at, asked) & (asked | (asked & 1 ? 24 : 8))) != 0)
            ready |= 1U << at;
        at++;
    }
    return ready;
}

unsigned int __cs_step_selected(int count, const void *reading, const void *writing, const void *failing) {
    __CSEQ_unwound(count <= 31, POLLED, 31);
    if (count < 0 || count > 31)
        return 0;
    unsigned int all = __cs_file_set(reading, count) | __cs_file_set(writing, count) | __cs_file_set(failing, count);
    return __cs_files_in(all);
}

int __cs_step_select(int count, void *reading, void *writing, void *failing, int waits, unsigned int held) {
    if (count < 0 || count > 31)
        return __cs_file_fails(__CSEQ_EINVAL);
    unsigned int in = __cs_file_set(reading, count), out = __cs_file_set(writing, count), all = 0;
    int ready = 0, at = 0;
    all = in | out | __cs_file_set(failing, count);
    __CSEQ_wait(!waits || (all & ~524280U) != 0 || (held & ~__cs_files_open) != 0 || (__cs_files_ready(in, 1) | __cs_files_ready(out, 4)) != 0);
    __CSEQ_unwound((held & ~__cs_files_open) == 0, CLOSED_IN_USE);
    while (at < 16) {
        if ((all >> (at + 3) & 1) != 0 && __cs_descriptor[at] == 0)
            return __cs_file_fails(__CSEQ_EBADF);
        at++;
    }
    in = __cs_files_ready(in, 1);
    out = __cs_files_ready(out, 4);
    at = 0;
    while (at < 32) {
        ready += (int)(in >> at & 1) + (int)(out >> at & 1);
        at++;
    }
    __CSEQ_assume(!waits || ready > 0);
    if (reading != 0)
        *(unsigned long *)reading = in;
    if (writing != 0)
        *(unsigned long *)writing = out;
    if (failing != 0)
        *(unsigned long *)failing = 0;
    return ready;
}

int select__cs7(int count, void *reading, void *writing, void *failing, struct timeval *time) {
    if (count == 0 && time == 0)
        pause();
    unsigned int __cs_held = __cs_step_selected(count, reading, writing, failing);
    return __cs_step_select(count, reading, writing, failing, time == 0, __cs_held);
}

/* F_GETFD, F_SETFD, F_GETFL and F_SETFL. */
int __cs_file_control(int file, int command, int argument) {
    int held = __cs_file_of(file);
    if (held < 0 && __CSEQ_nondet_bool())
        return -1;
    if (held < 0)
        return (__CSEQ_nondet_bool() ? 2048 : 0) + (__CSEQ_nondet_bool() ? 2 : __CSEQ_nondet_bool());
    if (held == 0)
        return __cs_file_fails(__CSEQ_EBADF);
    if (command == 4)
        __cs_file_does_not_block[held - 1] = (argument & 2048) != 0;
    if (command == 1)
        return __CSEQ_nondet_bool();
    if (command != 3)
        return 0;
    return (__cs_file_does_not_block[held - 1] ? 2048 : 0) + (__cs_file_kind[held - 1] < 3 ? __cs_file_kind[held - 1] - 1 : 2);
}

/* Other files get numbers that no descriptor here has. */
int __cs_file_other(void) {
    int file = __CSEQ_nondet_int();
    __CSEQ_assume(file == -1 || (file >= 19 && file < 1024));
    return file;
}

/* Cancellation, as in cancel.c. The steps return -3 if the thread is cancelled. */

long __cs_step_read_or_cancel(int held, void *buffer, unsigned long size, int now) {
    int ready = held == 0 || __cs_file_kind[held - 1] == 2 || size == 0 || now || __cs_file_does_not_block[held - 1];
    ready = ready || __cs_file_has_data(held) || (__cs_file_kind[held - 1] >= 4 && size < 8);
    __CSEQ_wait(ready || __cs_cancel_pending());
    if (__cs_cancel_pending() && (!ready || __CSEQ_nondet_bool()))
        return -3;
    return __cs_file_reads(held, buffer, size, now);
}

long __cs_step_add_or_cancel(int held, unsigned long long count) {
    int ready = __cs_file_does_not_block[held - 1] || count == 0xffffffffffffffffULL;
    ready = ready || count <= 0xfffffffffffffffeULL - __cs_file_count[held - 1];
    __CSEQ_wait(ready || __cs_cancel_pending());
    if (__cs_cancel_pending() && (!ready || __CSEQ_nondet_bool()))
        return -3;
    return __cs_file_adds(held, count);
}

unsigned long long __cs_step_given(const void *buffer) {
    return __cs_file_given(buffer);
}

long read__cs7__cs1(int file, void *buffer, unsigned long size) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    int __cs_held = __cs_step_file_of(file);
    if (__cs_held < 0)
        return read(file, buffer, size);
    long __cs_done = __cs_step_read_or_cancel(__cs_held, buffer, size, 0);
    if (__cs_done == -3)
        pthread_exit((void *) -1);
    return __cs_done;
}

long recv__cs7__cs1(int file, void *buffer, unsigned long size, int flags) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    int __cs_held = __cs_step_file_of(file);
    __CSEQ_unwound(__cs_held >= 0 && (flags & ~64) == 0, DESCRIPTOR_FLAGS);
    if (__cs_held < 0)
        return -1;
    long __cs_done = __cs_step_read_or_cancel(__cs_held, buffer, size, flags);
    if (__cs_done == -3)
        pthread_exit((void *) -1);
    return __cs_done;
}

long write__cs7__cs1(int file, const void *buffer, unsigned long size) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    int __cs_held = __cs_step_file_of(file);
    int __cs_counts = __cs_step_counts(__cs_held);
    if (!__cs_counts || size < 8)
        return write__cs7(file, buffer, size);
    long __cs_done = __cs_step_add_or_cancel(__cs_held, __cs_step_given(buffer));
    if (__cs_done == -3)
        pthread_exit((void *) -1);
    return __cs_done;
}

long send__cs7__cs1(int file, const void *buffer, unsigned long size, int flags) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    return send__cs7(file, buffer, size, flags);
}

int close__cs7__cs1(int file) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    return close__cs7(file);
}

int eventfd_read__cs1(int file, void *count) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    int __cs_held = __cs_step_file_of(file);
    int __cs_counts = __cs_step_counts(__cs_held);
    __CSEQ_unwound(__cs_counts, DESCRIPTOR_FLAGS);
    if (!__cs_counts)
        return -1;
    long __cs_done = __cs_step_read_or_cancel(__cs_held, count, 8, 0);
    if (__cs_done == -3)
        pthread_exit((void *) -1);
    return __cs_done == 8 ? 0 : -1;
}

int eventfd_write__cs1(int file, unsigned long long count) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    int __cs_held = __cs_step_file_of(file);
    int __cs_counts = __cs_step_counts(__cs_held);
    __CSEQ_unwound(__cs_counts, DESCRIPTOR_FLAGS);
    if (!__cs_counts)
        return -1;
    long __cs_done = __cs_step_add_or_cancel(__cs_held, count);
    if (__cs_done == -3)
        pthread_exit((void *) -1);
    return __cs_done == 8 ? 0 : -1;
}

int __cs_step_poll_or_cancel(struct pollfd *files, unsigned long count, int time, unsigned int held) {
    int ready = __cs_polled_ends(files, count, time, held);
    __CSEQ_wait(ready || __cs_cancel_pending());
    if (__cs_cancel_pending() && (!ready || __CSEQ_nondet_bool()))
        return -3;
    return __cs_file_polls(files, count, time, held);
}

int poll__cs7__cs1(struct pollfd *files, unsigned long count, int time) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    if (count == 0 && time < 0)
        pause__cs1();
    unsigned int __cs_held = __cs_step_polled(files, count);
    int __cs_done = __cs_step_poll_or_cancel(files, count, time, __cs_held);
    if (__cs_done == -3)
        pthread_exit((void *) -1);
    return __cs_done;
}

int select__cs7__cs1(int count, void *reading, void *writing, void *failing, struct timeval *time) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    __CSEQ_unwound(time != 0, CANCELLED_WAIT);
    return select__cs7(count, reading, writing, failing, time);
}
