/* The graphs that are left to be explored, as a stack. After a while the stack is divided among several processes,
 * which share the tables of locations, blocks and threads. Where a process has none left, another one gives it the
 * oldest graph of its stack, from which most others come. Each graph is explored once, whoever does it, so all numbers
 * are those of one process. */

#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "todo.h"

enum { NAP = 200 }; /* microseconds between two looks for work */

struct shared *shared;
struct saved *newest;
unsigned most_processes = 1, alone = 2000;
static struct saved *oldest;
static unsigned taken, processes = 1, number;

void share(void)
{
    shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED)
        _exit(1);
}

void lock_shared(void)
{
    while (__atomic_exchange_n(&shared->is_locked, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

void unlock_shared(void) { __atomic_store_n(&shared->is_locked, 0, __ATOMIC_RELEASE); }

void end_process(void)
{
    fflush(stdout);
    while (number == 0 && wait(0) > 0)
        ;
    _exit(0);
}

/* The process ends if another one has an answer; all do if one has failed. */
static void look_at_others(void)
{
    int how;
    if (__atomic_load_n(&shared->is_over, __ATOMIC_ACQUIRE))
        end_process();
    if (number == 0 && processes > 1 && waitpid(-1, &how, WNOHANG) > 0 && !(WIFEXITED(how) && WEXITSTATUS(how) == 0))
        _exit(1);
}

struct saved *save(const struct event *events, unsigned count)
{
    struct saved *made = malloc(sizeof *made + count * sizeof *events);
    if (!made)
        report("memory", "", "", 0, 0, 0);
    *made = (struct saved){.older = newest, .count = count};
    memcpy(made->events, events, count * sizeof *events);
    *(newest ? &newest->newer : &oldest) = made;
    newest = made;
    return made;
}

static void take_out(struct saved *one)
{
    *(one->older ? &one->older->newer : &oldest) = one->newer;
    *(one->newer ? &one->newer->older : &newest) = one->older;
}

static void forget(struct saved *one)
{
    take_out(one);
    free(one);
}

void forget_after(const struct saved *mark)
{
    while (newest != mark)
        forget(newest);
}

/* Begin the other processes. Each keeps its share of the graphs. */
static void divide(void)
{
    for (processes = 1; processes < most_processes && number == 0; processes++) {
        pid_t made = fork();
        if (made < 0)
            break;
        if (made == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            number = processes;
        }
    }
    processes = number ? most_processes : processes;
    unsigned i = 0;
    for (struct saved *one = oldest, *next; one; one = next, i++) {
        next = one->newer;
        if (i % processes != number)
            forget(one);
    }
}

/* Give the oldest graph away. */
static void give(void)
{
    lock_shared();
    if (!shared->given) {
        struct saved *one = oldest;
        shared->revisited = one->revisited;
        memcpy(shared->events, one->events, one->count * sizeof *one->events);
        shared->given = one->count;
        forget(one);
    }
    unlock_shared();
}

/* Wait for a graph that another process gives. Returns whether there is one. */
static int receive(void)
{
    __atomic_fetch_add(&shared->idle, 1, __ATOMIC_SEQ_CST);
    for (;; usleep(NAP)) {
        look_at_others();
        lock_shared();
        unsigned count = shared->given, is_over = !count && shared->idle == processes;
        if (count) {
            save(shared->events, count)->revisited = shared->revisited;
            shared->given = 0;
            shared->idle--;
        }
        unlock_shared();
        if (count || is_over)
            return !is_over;
    }
}

struct saved *take(void)
{
    if (++taken > alone && processes == 1 && most_processes > 1 && newest != oldest)
        divide();
    look_at_others();
    if (!newest && (processes == 1 || !receive())) {
        if (number)
            end_process();
        return 0;
    }
    if (processes > 1 && newest != oldest && __atomic_load_n(&shared->idle, __ATOMIC_RELAXED) && !shared->given)
        give();
    struct saved *one = newest;
    take_out(one);
    return one;
}
