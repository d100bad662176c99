/* The process that the client starts forks a run for each request, before main has begun. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw.h"
#include "server.h"
#include "sync.h"

void cs_begin_run(void)
{
    cs_active = true;
    cs_strategy_begin(&cs_shared->request);
    cs_begin_threads();
}

static void become_run(int requests, int answers, int output)
{
    CS_SYSCALL1(SYS_close, requests);
    CS_SYSCALL1(SYS_close, answers);
    if (output > 2) {
        CS_SYSCALL1(SYS_close, output);
    }
    CS_SYSCALL2(SYS_setpgid, 0, 0);
    CS_SYSCALL2(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    cs_begin_run();
}

/* Make one run; returns true in the run itself. */
static bool make_run(int requests, int answers, int output)
{
    struct cs_shared *shared = cs_shared;
    uint32_t runs = shared->result.runs;
    cs_earlier_entries = shared->result.entries;
    memset(&shared->result, 0, sizeof shared->result);
    shared->result.runs = runs + 1;
    if (output >= 0) {
        CS_SYSCALL2(SYS_ftruncate, output, 0);
    }
    CS_SYSCALL3(SYS_lseek, STDIN_FILENO, 0, SEEK_SET); /* each run reads a file from its beginning */
    uint64_t begun = cs_real_time();
    pid_t run = fork();
    if (run == 0) {
        become_run(requests, answers, output);
        return true;
    }
    int status = 0;
    uint32_t limit = shared->request.milliseconds;
    bool in_time = cs_await_run(run, shared->request.flags & CS_REAL_TIME ? -1 : (int)limit, output, requests, &status);
    struct cs_result *result = &shared->result;
    result->nanoseconds = cs_real_time() - begun;
    if (result->end == CS_END_running) {
        result->end = !in_time ? CS_END_time : WIFSIGNALED(status) ? CS_END_killed : CS_END_exited;
        result->detail = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    if (result->world & CS_WORLD_IN_MODEL && result->end != CS_END_time) { /* time may be over anywhere */
        result->other = result->end;
        result->end = CS_END_model;
    }
    return false;
}

/* Whether there is a race that the client does not know of. */
static bool has_new_race(const struct cs_result *result)
{
    struct cs_shared *shared = cs_shared;
    const struct cs_race *races = (const struct cs_race *)((char *)shared + shared->races.offset);
    const uint64_t *known = (const uint64_t *)((char *)shared + shared->known.offset);
    for (uint32_t n = 0; n < result->races; n++) {
        uint64_t one = races[n].first.pc, other = races[n].second.pc, k = 0;
        while (k < known[0] && !(known[2 * k + 1] == one && known[2 * k + 2] == other)
               && !(known[2 * k + 1] == other && known[2 * k + 2] == one)) {
            k++;
        }
        if (k == known[0]) {
            return true;
        }
    }
    return false;
}

static bool is_remarkable(const struct cs_result *result)
{
    if (result->end == CS_END_redundant) {
        return false;
    }
    int expected = cs_shared->request.status;
    bool ends_well = result->end == CS_END_exited && (expected < 0 || result->detail == expected);
    return !ends_well || has_new_race(result);
}

static bool serve(int requests, int answers, int output)
{
    struct cs_shared *shared = cs_shared;
    char byte = 'R';
    for (;;) {
        if (CS_SYSCALL3(SYS_write, answers, &byte, 1) != 1 || CS_SYSCALL3(SYS_read, requests, &byte, 1) != 1) {
            CS_SYSCALL1(SYS_exit_group, 0);
        }
        struct cs_brief *briefs = (struct cs_brief *)((char *)shared + shared->briefs.offset);
        uint64_t seed = shared->request.seed, begun = cs_real_time();
        uint64_t limit = shared->request.batch_milliseconds * 1000000ul;
        shared->result.runs = 0;
        for (uint32_t n = 0; n < shared->request.runs && n < shared->briefs.capacity; n++) {
            shared->request.seed = seed + n;
            if (make_run(requests, answers, output)) {
                return true;
            }
            const struct cs_result *result = &shared->result;
            briefs[n] = (struct cs_brief){
                .schedule = result->schedule,
                .operations = (uint32_t)result->operations,
                .end = (uint16_t)result->end,
                .races = (uint16_t)result->races,
            };
            if (is_remarkable(result) || cs_real_time() - begun > limit) {
                break;
            }
        }
        shared->request.seed = seed;
        byte = 'D';
    }
}

/* The client gives four descriptors: requests, answers, the shared file, the output of runs (-1: it is not kept). */
__attribute__((constructor(101))) static void begin(int count, char **arguments)
{
    cs_find_reals();
    const char *given = getenv("CSEQ_SERVER");
    int requests, answers, file, output;
    if (given == NULL || sscanf(given, "%d,%d,%d,%d", &requests, &answers, &file, &output) != 4) {
        cs_without_server(count, arguments);
        return;
    }
    unsetenv("CSEQ_SERVER");
    CS_SYSCALL2(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
    if (cs_map_shared(file)) {
        cs_prepare_threads();
        serve(requests, answers, output);
    }
}
