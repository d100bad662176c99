/* Teams of threads, barriers, single, critical and locks: see openmp.h. */
#include <stdlib.h>

#include "openmp.h"

extern void __tsan_func_entry(void *return_address);
extern void __tsan_func_exit(void);

static struct cs_member *members[CS_MOST_THREADS];
static uint32_t wanted;     /* threads of the next team */
static uint32_t levels = 1; /* how deep teams of several threads may be nested */

struct cs_member *cs_member(struct cs_thread *self)
{
    if (members[self->number] == NULL) {
        struct cs_team *team = cs_allocate(sizeof *team);
        team->count = 1;
        members[self->number] = cs_allocate(sizeof(struct cs_member));
        members[self->number]->team = team;
    }
    return members[self->number];
}

void cs_member_set(const struct cs_thread *thread, struct cs_member *member) { members[thread->number] = member; }

void cs_omp_step(struct cs_thread *self, const void *object)
{
    (void)self;
    cs_step(CS_parallel, object, 0);
}

static uint32_t number_wanted(void)
{
    if (wanted == 0) {
        const char *given = getenv("OMP_NUM_THREADS");
        int number = given != NULL ? atoi(given) : 0;
        wanted = number > 0 ? (uint32_t)number : CS_OMP_DEFAULT;
    }
    return wanted;
}

/* ---- teams ---- */

struct cs_thread *cs_omp_thread(void (*function)(void *), void *argument, struct cs_member *member)
{
    pthread_t handle;
    if (pthread_create(&handle, NULL, (void *(*)(void *))(void (*)(void))function, argument) != 0) {
        return NULL;
    }
    struct cs_thread *thread = cs_thread_of(handle); /* it has not run yet */
    cs_member_set(thread, member);
    return thread;
}

void cs_omp_join(struct cs_thread *self, struct cs_thread *thread)
{
    if (thread->life == CS_JOINED) {
        cs_acquire(self, &thread->clock);
    } else {
        pthread_join(thread->handle, NULL);
    }
}

static struct cs_member *new_member(struct cs_team *team, uint32_t number)
{
    struct cs_member *member = cs_allocate(sizeof *member);
    member->team = team;
    member->number = number;
    return member;
}

void cs_omp_parallel(struct cs_thread *self, void (*function)(void *), void *data, unsigned count,
                     void (*prepare)(struct cs_team *, const void *), const void *more)
{
    struct cs_member *before = cs_member(self);
    struct cs_team *team = cs_allocate(sizeof *team);
    team->parent = before;
    team->level = before->team->level + 1;
    team->count = count > 0 ? count : number_wanted();
    uint32_t active = 0;
    for (const struct cs_team *outer = before->team; outer != NULL;
         outer = outer->parent ? outer->parent->team : NULL) {
        active += outer->count > 1;
    }
    if (active >= levels) {
        team->count = 1;
    }
    if (prepare != NULL) {
        prepare(team, more);
    }
    struct cs_thread **threads = cs_allocate(team->count * sizeof *threads);
    self->inside = false;
    for (uint32_t n = 1; n < team->count; n++) {
        threads[n] = cs_omp_thread(function, data, new_member(team, n));
        if (threads[n] == NULL) {
            team->count = n; /* as many as the system gives */
        }
    }
    cs_member_set(self, new_member(team, 0));
    function(data);
    for (uint32_t n = 1; n < team->count; n++) {
        cs_omp_join(self, threads[n]);
    }
    cs_tasks_end(self, team);
    cs_member_set(self, before);
}

CS_PUBLIC void GOMP_parallel(void (*function)(void *), void *data, unsigned count, unsigned flags);
CS_PUBLIC void GOMP_parallel(void (*function)(void *), void *data, unsigned count, unsigned flags)
{
    CS_ENTER(self, CS_REAL(GOMP_parallel)(function, data, count, flags));
    __tsan_func_entry(__builtin_return_address(0));
    cs_omp_parallel(self, function, data, count, NULL, NULL);
    __tsan_func_exit();
}

/* ---- constructs ---- */

struct cs_share *cs_share_next(struct cs_member *member, bool *first)
{
    struct cs_team *team = member->team;
    uint32_t number = ++member->shares;
    struct cs_share *share = team->shares;
    while (share != NULL && share->number != number) {
        share = share->before;
    }
    *first = share == NULL;
    if (share == NULL) {
        share = cs_allocate(sizeof *share);
        share->number = number;
        share->before = team->shares;
        team->shares = share;
    }
    member->share = share;
    return share;
}

struct arrival {
    struct cs_team *team;
    uint32_t generation;
};

static bool is_over(struct cs_thread *self, void *subject)
{
    const struct arrival *arrival = subject;
    (void)self;
    return arrival->team->generation != arrival->generation;
}

void cs_team_wait(struct cs_thread *self, struct cs_member *member)
{
    struct cs_team *team = member->team;
    struct arrival arrival = {.team = team, .generation = team->generation};
    cs_step(CS_omp_barrier, team, 0);
    cs_release(self, &team->barrier);
    if (++team->arrived == team->count) {
        if (!cs_tasks_over(self, team)) {
            cs_block(CS_omp_barrier, team, 0, cs_tasks_over, team, CS_NEVER);
        }
        cs_tasks_acquire(self, team);
        cs_release(self, &team->barrier);
        team->arrived = 0;
        team->generation++;
    } else {
        cs_block(CS_omp_barrier, team, 1, is_over, &arrival, CS_NEVER);
    }
    cs_acquire(self, &team->barrier);
}

CS_PUBLIC void GOMP_barrier(void);
CS_PUBLIC void GOMP_barrier(void)
{
    CS_ENTER(self, CS_REAL(GOMP_barrier)());
    cs_team_wait(self, cs_member(self));
    self->inside = false;
}

CS_PUBLIC bool GOMP_single_start(void);
CS_PUBLIC bool GOMP_single_start(void)
{
    CS_ENTER(self, CS_REAL(GOMP_single_start)());
    bool first;
    cs_omp_step(self, cs_member(self)->team);
    cs_share_next(cs_member(self), &first);
    return cs_leave(self, first);
}

CS_PUBLIC void *GOMP_single_copy_start(void);
CS_PUBLIC void *GOMP_single_copy_start(void)
{
    CS_ENTER(self, CS_REAL(GOMP_single_copy_start)());
    struct cs_member *member = cs_member(self);
    bool first;
    cs_omp_step(self, member->team);
    cs_share_next(member, &first);
    if (!first) {
        cs_team_wait(self, member);
    }
    return cs_leave(self, first ? NULL : member->team->copied);
}

CS_PUBLIC void GOMP_single_copy_end(void *data);
CS_PUBLIC void GOMP_single_copy_end(void *data)
{
    CS_ENTER(self, CS_REAL(GOMP_single_copy_end)(data));
    cs_member(self)->team->copied = data;
    cs_team_wait(self, cs_member(self));
    self->inside = false;
}

/* ---- what the program asks ---- */

#define ASKED(type, name, value) \
    CS_PUBLIC type name(void); \
    CS_PUBLIC type name(void) \
    { \
        struct cs_thread *self = cs_self; \
        if (self == NULL || self->inside) { \
            return CS_REAL(name)(); \
        } \
        return value; \
    }

#define SET(name, statement) \
    CS_PUBLIC void name(int value); \
    CS_PUBLIC void name(int value) \
    { \
        if (cs_self == NULL || cs_self->inside) { \
            CS_REAL(name)(value); \
            return; \
        } \
        statement; \
    }

ASKED(int, omp_get_thread_num, (int)cs_member(self)->number)
ASKED(int, omp_get_num_threads, (int)cs_member(self)->team->count)
ASKED(int, omp_get_max_threads, (int)number_wanted())
ASKED(int, omp_get_num_procs, (int)number_wanted())
ASKED(int, omp_get_level, (int)cs_member(self)->team->level)
ASKED(int, omp_in_parallel, cs_member(self)->team->count > 1)
ASKED(int, omp_get_nested, levels > 1)
ASKED(int, omp_get_max_active_levels, (int)levels)
SET(omp_set_num_threads, wanted = value > 0 ? (uint32_t)value : 1)
SET(omp_set_nested, levels = value != 0 ? 64 : 1)
SET(omp_set_max_active_levels, levels = value > 0 ? (uint32_t)value : 0)
SET(omp_set_dynamic, (void)value)
