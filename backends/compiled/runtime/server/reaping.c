/* The server waits for a run and clears away what it leaves: processes, and an output without end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "raw.h"
#include "server.h"

#define MOST_OUTPUT (16l << 20) /* bytes that are kept of the output; what comes before them is dropped */
#define SLICE 50                /* milliseconds between two looks at the output */

uint64_t cs_real_time(void)
{
    struct timespec now;
    CS_SYSCALL2(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void bound_output(int output)
{
    struct stat about;
    if (output >= 0 && CS_SYSCALL2(SYS_fstat, output, &about) == 0 && about.st_size > MOST_OUTPUT) {
        CS_SYSCALL2(SYS_ftruncate, output, 0);
    }
}

/* Kill the processes whose parent has ended: the server is their parent now. */
static void kill_orphans(void)
{
    char text[4096];
    int file = (int)CS_SYSCALL3(SYS_open, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC, 0);
    long length = file < 0 ? 0 : CS_SYSCALL3(SYS_read, file, text, sizeof text - 1);
    int process = 0;
    for (long n = 0; n < length; n++) {
        if (text[n] >= '0' && text[n] <= '9') {
            process = 10 * process + text[n] - '0';
        } else if (process > 0) {
            CS_SYSCALL2(SYS_kill, process, SIGKILL);
            process = 0;
        }
    }
    if (file >= 0) {
        CS_SYSCALL1(SYS_close, file);
    }
}

bool cs_await_run(int run, int milliseconds, int output, int requests, int *status)
{
    uint64_t end = cs_real_time() + (uint64_t)(milliseconds < 0 ? 0 : milliseconds) * 1000000u;
    int process = (int)CS_SYSCALL2(SYS_pidfd_open, run, 0);
    struct pollfd watched[] = {{.fd = process, .events = POLLIN}, {.fd = requests}}; /* the latter: its other end */
    bool in_time = true;
    for (;;) {
        uint64_t now = cs_real_time();
        long left = milliseconds < 0 ? SLICE : end > now ? (long)((end - now) / 1000000u) + 1 : 0;
        CS_SYSCALL3(SYS_poll, watched, 2, left < SLICE ? left : SLICE);
        if (watched[0].revents != 0) {
            break;
        }
        bound_output(output);
        if (left == 0 || watched[1].revents != 0) { /* nothing waits for the run any more */
            in_time = false;
            break;
        }
    }
    CS_SYSCALL2(SYS_kill, -run, SIGKILL); /* with what it has started */
    if (!in_time) {
        CS_SYSCALL2(SYS_kill, run, SIGKILL);
    }
    CS_SYSCALL4(SYS_wait4, run, status, 0, 0);
    CS_SYSCALL1(SYS_close, process);
    bound_output(output);
    int ignored;
    for (;;) {
        long other = CS_SYSCALL4(SYS_wait4, -1, &ignored, WNOHANG, 0);
        if (other < 0 && other != -EINTR) {
            return in_time; /* there is none left */
        }
        if (other == 0) {
            kill_orphans();
            CS_SYSCALL1(SYS_sched_yield, 0);
        }
    }
}
