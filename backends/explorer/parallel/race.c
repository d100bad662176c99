#include "race.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "crew.h"

struct cs_race {
    struct shared_race {
        uint32_t winner;   /* a cs_side */
        uint32_t answered; /* by the other searches */
        double cpu;        /* of the first process and its workers, when it has lost; 0 before */
        struct cs_share shares[CS_MOST_SHARES];
    } *shared;
    const struct cs_options *options;
    enum cs_side side;
    pid_t others; /* 0 when they have been ended */
    int output;   /* standard output, in the process that is silent */
    void (*on_cut)(const char *text);
};

static struct cs_race *running; /* there is one at most */

/* Where the search is to stop at this cut, that is an answer. */
static void on_cut(const char *text)
{
    for (unsigned int i = 0; i < CS_MOST_STOPS && running->options->stops[i]; i++)
        if (!strcmp(running->options->stops[i], text))
            cs_race_claim(running);
    running->on_cut(text);
}

struct cs_race *cs_race_begin(struct cs_engine *engine, const struct cs_options *options)
{
    struct cs_race *race = cs_allocate(sizeof *race);
    pid_t made = -1;

    race->options = options;
    race->on_cut = engine->on_cut;
    race->output = dup(STDOUT_FILENO);
    race->shared = cs_shared_new(sizeof *race->shared);
    if (race->shared && race->output >= 0)
        made = cs_fork();
    if (made < 0) {
        if (race->output >= 0)
            close(race->output);
        cs_shared_free(race->shared, sizeof *race->shared);
        free(race);
        return NULL;
    }
    race->side = made ? CS_BREADTH_FIRST : CS_OTHER_SEARCHES;
    race->others = made;
    running = race;
    if (engine->on_cut)
        engine->on_cut = on_cut;
    return race;
}

enum cs_side cs_race_side(const struct cs_race *race) { return race->side; }

static enum cs_side winner(const struct cs_race *race)
{
    return __atomic_load_n(&race->shared->winner, __ATOMIC_ACQUIRE);
}

bool cs_race_is_lost(const struct cs_race *race)
{
    enum cs_side found = winner(race);
    return found != CS_NO_SIDE && found != race->side;
}

/* Wait until the others have printed the answer, and end as they do. */
static _Noreturn void yield(struct cs_race *race)
{
    struct cs_result result = {.status = "error"};
    struct rusage used;
    pid_t ended;
    int status;

    getrusage(RUSAGE_CHILDREN, &used);
    race->shared->cpu = (double)clock() / CLOCKS_PER_SEC + (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    do
        ended = waitpid(race->others, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        _exit(0);
    if (ended > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        result.status = "memory";
    result.text = "the process that had the answer has ended before it was told";
    cs_report(race->options, &result);
    exit(0);
}

void cs_race_claim(struct cs_race *race)
{
    uint32_t expected = CS_NO_SIDE;

    if (winner(race) == race->side)
        return;
    if (!__atomic_compare_exchange_n(&race->shared->winner, &expected, (uint32_t)race->side, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        if (race->side == CS_OTHER_SEARCHES)
            _exit(0);
        yield(race);
    }
    if (race->side == CS_BREADTH_FIRST) {
        cs_kill(race->others);
        race->others = 0;
        return;
    }
    __atomic_store_n(&race->shared->answered, 1, __ATOMIC_RELEASE);
    if (dup2(race->output, STDOUT_FILENO) < 0)
        _exit(1);
}

static void end_others(void *race) { cs_race_claim(race); }

bool cs_race_has_others(const struct cs_race *race) { return race->others; }

struct cs_share *cs_race_share(struct cs_race *race, unsigned int number) { return &race->shared->shares[number]; }

struct cs_others cs_race_others(struct cs_race *race, size_t memory)
{
    return (struct cs_others){&race->shared->answered, &race->shared->shares[0], memory, end_others, race};
}

double cs_race_cpu_seconds(const struct cs_race *race)
{
    if (race->side == CS_BREADTH_FIRST)
        return 0; /* the others are ended, so they are counted as children */
    return race->shared->cpu > 0 ? race->shared->cpu : cs_cpu_seconds(getppid());
}
