/* The end of the process, and other processes that it starts. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "channels.h"
#include "heap.h"
#include "raw.h"
#include "signals.h"
#include "system.h"

static __thread bool ending;      /* the end by this thread has been recorded */
static struct cs_thread *exiting; /* has called exit: others that do so wait for the end, as POSIX says since 2024 */
static bool finishing;            /* the functions for the end have been called, ours as the last one */

static bool may_exit(struct cs_thread *self, void *unused)
{
    (void)unused;
    return exiting == NULL || exiting == self;
}

static void record_exit(int status, void *place, bool last, bool at_once)
{
    struct cs_thread *self = cs_self;
    if (self == NULL || self->inside || ending) {
        return;
    }
    ending = true;
    self->inside = true;
    if (place != NULL) {
        cs_called_from(self, place);
    } else {
        self->caller = 0;
    }
    cs_block(CS_exit, NULL, (uint64_t)(unsigned)status, at_once ? NULL : may_exit, NULL, CS_NEVER);
    exiting = self;
    if (last || finishing) {
        cs_record_pending(false);
    }
    self->inside = false;
}

/* After the program's own functions for the end: other threads may have used what those have destroyed. */
static void at_exit(int status, void *unused)
{
    (void)unused;
    ending = false;
    finishing = true;
    record_exit(status, NULL, true, false);
}

CS_PUBLIC _Noreturn void exit(int status)
{
    record_exit(status, __builtin_return_address(0), false, false);
    CS_REAL(exit)(status);
    __builtin_unreachable();
}

CS_PUBLIC _Noreturn void quick_exit(int status)
{
    record_exit(status, __builtin_return_address(0), true, true);
    CS_REAL(quick_exit)(status);
    __builtin_unreachable();
}

static _Noreturn void end_at_once(int status, void *place)
{
    record_exit(status, place, true, true);
    for (;;) {
        CS_SYSCALL1(SYS_exit_group, status);
    }
}

CS_PUBLIC _Noreturn void _exit(int status) { end_at_once(status, __builtin_return_address(0)); }

CS_PUBLIC _Noreturn void _Exit(int status) { end_at_once(status, __builtin_return_address(0)); }

/* ---- other processes ---- */

/* A copy of the run is none: it goes on as if the runtime were not there. */
static void in_child(void)
{
    cs_active = false;
    cs_self = NULL;
}

static void starts_process(struct cs_thread *self, const void *place)
{
    cs_called_from(self, (void *)place);
    cs_shared->result.world |= CS_WORLD_PROCESS;
    cs_channels_shared();
    cs_step(CS_input_output, NULL, 0);
    cs_channel_release(self, -1);
}

static pid_t copy(const void *place)
{
    struct cs_thread *self = cs_self;
    if (self == NULL || self->inside) {
        return CS_REAL(fork)();
    }
    self->inside = true;
    starts_process(self, place);
    self->inside = false;
    pid_t result = CS_REAL(fork)();
    return result;
}

CS_PUBLIC pid_t fork(void) { return copy(__builtin_return_address(0)); }

/* The child may do anything that one of fork may, and the parent goes on at once. */
CS_PUBLIC pid_t vfork(void) { return copy(__builtin_return_address(0)); }

/* The process is started with the baton: it does not depend on the program's threads. */
#define STARTS(result, name, parameters, arguments) \
    CS_PUBLIC result name parameters \
    { \
        CS_ENTER(self, CS_REAL(name) arguments); \
        starts_process(self, __builtin_return_address(0)); \
        result value = CS_REAL(name) arguments; \
        return cs_leave(self, value); \
    }

STARTS(int, system, (const char *command), (command))
STARTS(FILE *, popen, (const char *command, const char *type), (command, type))
STARTS(int, posix_spawn,
       (pid_t * process, const char *path, const posix_spawn_file_actions_t *actions,
        const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]),
       (process, path, actions, attributes, arguments, environment))
STARTS(int, posix_spawnp,
       (pid_t * process, const char *path, const posix_spawn_file_actions_t *actions,
        const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]),
       (process, path, actions, attributes, arguments, environment))

/* ---- the beginning ---- */

void cs_begin_system(void)
{
    on_exit(at_exit, NULL);
    pthread_atfork(NULL, NULL, in_child);
    cs_begin_heap();
    cs_begin_signals();
    cs_begin_crashes();
}

void cs_begin_system_of_thread(void) { cs_begin_crashes_of_thread(); }
