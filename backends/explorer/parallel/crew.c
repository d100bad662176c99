/* Who waits looks at the memory for some microseconds, and then sleeps until it is woken: a layer of a search often
 * takes no longer than that, but processors may be needed by somebody else. */

#define _GNU_SOURCE
#include "crew.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../step.h"

enum {
    LOOKS = 2000,         /* before it sleeps */
    NAP = 20 * 1000000,   /* nanoseconds between two looks at whether the workers are still there */
    LITTLE = 1024 * 1024, /* bytes that are faster written than given back */
};

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

void *cs_shared_new(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return NULL;
    madvise(at, size, MADV_HUGEPAGE); /* where the system has it for shared memory */
    return at;
}

void cs_shared_free(void *at, size_t size)
{
    if (at)
        munmap(at, size);
}

void cs_shared_clear(void *at, size_t size)
{
    if (size <= LITTLE || madvise(at, size, MADV_REMOVE) != 0)
        memset(at, 0, size);
}

/* An older system does not know this; then memory comes page by page. */
void cs_shared_populate(void *at, size_t size) { madvise(at, size, MADV_POPULATE_WRITE); }

static void pause_processor(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* Sleep as long as there is *value*; or less. */
static void sleep_on(uint32_t *word, uint32_t value, const struct timespec *most)
{
    syscall(SYS_futex, word, FUTEX_WAIT, value, most, NULL, 0);
}

static void wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 0x7fffffff, NULL, NULL, 0); }

pid_t cs_fork(void)
{
    pid_t maker = getpid(), made;
    int nowhere;

    fflush(stdout);
    fflush(stderr);
    made = fork();
    if (made != 0)
        return made;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != maker) /* it was too late */
        _exit(1);
    nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        _exit(1);
    close(nowhere);
    cs_begin_ticks();
    return 0;
}

void cs_hire(struct cs_staff *staff, unsigned int count, void (*work)(void *argument, unsigned int number),
             void *argument)
{
    while (staff->count < count && staff->count < CS_MOST_WORKERS) {
        pid_t made = cs_fork();
        if (made < 0)
            return;
        if (made == 0) {
            work(argument, staff->count + 1);
            _exit(0);
        }
        staff->workers[staff->count++] = made;
    }
}

void cs_order(struct cs_staff *staff, uint32_t order)
{
    struct cs_crew *crew = staff->crew;

    if (staff->count == 0)
        return;
    crew->order = order;
    __atomic_store_n(&crew->busy, staff->count, __ATOMIC_RELAXED);
    __atomic_add_fetch(&crew->orders, 1, __ATOMIC_RELEASE);
    wake(&crew->orders);
}

const char *cs_has_ended(pid_t process, bool *out_of_memory)
{
    static char words[80];
    int status;
    pid_t ended;

    do
        ended = waitpid(process, &status, WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return NULL;
    *out_of_memory = false;
    if (ended > 0 && WIFSIGNALED(status)) {
        /* The system does this when memory runs out. */
        *out_of_memory = WTERMSIG(status) == SIGKILL;
        snprintf(words, sizeof words, "a process of the search was ended by signal %d", WTERMSIG(status));
    } else {
        *out_of_memory = ended > 0 && WEXITSTATUS(status) == 0; /* cs_allocate */
        snprintf(words, sizeof words, "a process of the search has ended");
    }
    return words;
}

bool cs_wait(struct cs_staff *staff)
{
    uint32_t *busy = &staff->crew->busy, left;
    const struct timespec nap = {0, NAP};
    unsigned int looks = 0;

    while (!staff->lost && (left = __atomic_load_n(busy, __ATOMIC_ACQUIRE)) > 0) {
        if (looks++ < LOOKS) {
            pause_processor();
            continue;
        }
        sleep_on(busy, left, &nap);
        for (unsigned int i = 0; i < staff->count && !staff->lost; i++)
            if ((staff->lost = cs_has_ended(staff->workers[i], &staff->out_of_memory)))
                staff->workers[i] = staff->workers[--staff->count];
    }
    return !staff->lost;
}

void cs_kill(pid_t process)
{
    int status;

    kill(process, SIGKILL);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
}

void cs_dismiss(struct cs_staff *staff)
{
    for (unsigned int i = 0; i < staff->count; i++)
        kill(staff->workers[i], SIGKILL);
    while (staff->count > 0)
        cs_kill(staff->workers[--staff->count]);
}

uint32_t cs_take_order(struct cs_crew *crew, uint32_t *taken)
{
    unsigned int looks = 0;

    while (__atomic_load_n(&crew->orders, __ATOMIC_ACQUIRE) == *taken) {
        if (looks++ < LOOKS)
            pause_processor();
        else
            sleep_on(&crew->orders, *taken, NULL);
    }
    ++*taken;
    return crew->order;
}

void cs_carried_out(struct cs_crew *crew)
{
    if (__atomic_sub_fetch(&crew->busy, 1, __ATOMIC_ACQ_REL) == 0)
        wake(&crew->busy);
}

double cs_cpu_seconds(pid_t process)
{
    struct timespec used;
    clockid_t clock;

    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}
