/* Tasks of OpenMP: threads of their own, as many at a time as the team has threads to run them; the others run at once
 * in the thread that creates them, as OpenMP allows. */
#include <stdlib.h>
#include <string.h>

#include "openmp.h"

extern void __tsan_func_entry(void *return_address);
extern void __tsan_func_exit(void);

/* Bits of gcc's flags of tasks. */
enum { DEPENDS = 8, UP = 256, GRAIN_SIZE = 512, WITHOUT_GROUP = 2048 };

#define MOST_RUNNING_THREADS 256 /* of the run: further tasks run at once */

struct cs_task_list { /* of a team: the tasks that have threads */
    struct cs_task *task;
    struct cs_task_list *next;
};

static bool is_over(const struct cs_task *task)
{
    return task->thread == NULL || task->thread->life == CS_ENDED || task->thread->life == CS_JOINED;
}

bool cs_tasks_over(struct cs_thread *self, void *subject)
{
    const struct cs_team *team = subject;
    (void)self;
    for (const struct cs_task_list *list = team->tasks; list != NULL; list = list->next) {
        if (!is_over(list->task)) {
            return false;
        }
    }
    return true;
}

void cs_tasks_acquire(struct cs_thread *self, const struct cs_team *team)
{
    for (const struct cs_task_list *list = team->tasks; list != NULL; list = list->next) {
        cs_acquire(self, &list->task->thread->clock);
    }
}

void cs_tasks_end(struct cs_thread *self, struct cs_team *team)
{
    while (team->tasks != NULL) { /* while it waits, tasks may create others */
        struct cs_task *task = team->tasks->task;
        team->tasks = team->tasks->next;
        cs_omp_join(self, task->thread);
    }
}

static uint32_t running(const struct cs_team *team)
{
    uint32_t count = 0;
    for (const struct cs_task_list *list = team->tasks; list != NULL; list = list->next) {
        count += !is_over(list->task);
    }
    return count;
}

/* ---- dependences ---- */

/* What a task depends on: first those that it writes, then those that it reads. */
struct needs {
    void **addresses;
    uint64_t count, written;
};

static struct needs needs_of(void **depend)
{
    if (depend[0] != NULL) {
        return (struct needs){depend + 2, (uint64_t)depend[0], (uint64_t)depend[1]};
    }
    /* out, mutexinoutset, in and depobj; the last are taken for addresses that it reads */
    return (struct needs){depend + 5, (uint64_t)depend[1], (uint64_t)depend[2] + (uint64_t)depend[3]};
}

static bool must_follow(void **later, void **earlier)
{
    struct needs one = needs_of(later), other = needs_of(earlier);
    for (uint64_t n = 0; n < one.count; n++) {
        for (uint64_t m = 0; m < other.count; m++) {
            if (one.addresses[n] == other.addresses[m] && (n < one.written || m < other.written)) {
                return true;
            }
        }
    }
    return false;
}

struct wanted {
    struct cs_task *children;
    void **depend;                /* only those that a task with these must follow; NULL: all */
    const struct cs_group *group; /* only those in the group; NULL: all */
};

static bool concerns(const struct wanted *wanted, const struct cs_task *task)
{
    return wanted->depend == NULL || (task->depend != NULL && must_follow(wanted->depend, task->depend));
}

static bool are_over(struct cs_thread *self, void *subject)
{
    const struct wanted *wanted = subject;
    (void)self;
    for (const struct cs_task *task = wanted->children; task != NULL; task = task->older) {
        if (concerns(wanted, task) && !is_over(task)) {
            return false;
        }
    }
    return true;
}

static void await_children(struct cs_thread *self, struct wanted *wanted, struct cs_thread *acquires)
{
    cs_block(CS_parallel, wanted->children, 2, are_over, wanted, CS_NEVER);
    for (const struct cs_task *task = wanted->children; task != NULL; task = task->older) {
        if (concerns(wanted, task) && task->thread != NULL) {
            cs_acquire(acquires, &task->thread->clock);
        }
    }
    (void)self;
}

/* ---- tasks ---- */

static void **copy_of(void **depend)
{
    uint64_t count = needs_of(depend).count + 5;
    void **copy = cs_allocate(count * sizeof *copy);
    memcpy(copy, depend, (depend[0] != NULL ? count - 3 : count) * sizeof *copy);
    return copy;
}

static void *data_of(void *data, void (*copy)(void *, void *), long size, long alignment)
{
    char *block = cs_allocate((size_t)(size + alignment));
    block = (char *)(((uint64_t)block + (uint64_t)alignment - 1) & -(uint64_t)alignment);
    if (copy != NULL) {
        copy(block, data);
    } else {
        memcpy(block, data, (size_t)size);
    }
    return block;
}

/* Run it in this thread, as a task of its own. */
static void run_here(struct cs_member *member, void (*function)(void *), void *data)
{
    struct cs_task *task = member->task, *children = member->children;
    member->task = cs_allocate(sizeof *task);
    member->children = NULL;
    function(data);
    member->task = task;
    member->children = children;
}

static void create(struct cs_thread *self, void (*function)(void *), void *data, void (*copy)(void *, void *),
                   long size, long alignment, bool deferred, void **depend)
{
    struct cs_member *member = cs_member(self);
    struct cs_team *team = member->team;
    struct wanted before = {.children = member->children, .depend = depend};
    bool here = !deferred || running(team) + 1 >= team->count || cs_thread_count >= MOST_RUNNING_THREADS;
    if (depend != NULL) {
        bool waits = !are_over(self, &before);
        if (here || waits) {
            await_children(self, &before, self);
        }
    }
    self->inside = false;
    void *block = here && copy == NULL ? data : data_of(data, copy, size, alignment);
    if (here) {
        run_here(member, function, block);
        return;
    }
    struct cs_member *other = cs_allocate(sizeof *other);
    struct cs_task *task = cs_allocate(sizeof *task);
    *other = (struct cs_member){.team = team, .number = member->number, .task = task, .group = member->group};
    task->thread = cs_omp_thread(function, block, other);
    if (task->thread == NULL) {
        run_here(member, function, block);
        return;
    }
    if (depend != NULL) {
        task->depend = copy_of(depend);
        for (const struct cs_task *earlier = before.children; earlier != NULL; earlier = earlier->older) {
            if (concerns(&before, earlier) && earlier->thread != NULL) {
                cs_acquire(task->thread, &earlier->thread->clock);
            }
        }
    }
    task->group = member->group;
    task->older = member->children;
    member->children = task;
    struct cs_task_list *list = cs_allocate(sizeof *list);
    *list = (struct cs_task_list){.task = task, .next = team->tasks};
    team->tasks = list;
}

CS_PUBLIC void GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long alignment,
                         bool deferred, unsigned flags, void **depend, int priority);
CS_PUBLIC void GOMP_task(void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long alignment,
                         bool deferred, unsigned flags, void **depend, int priority)
{
    CS_ENTER(self, CS_REAL(GOMP_task)(function, data, copy, size, alignment, deferred, flags, depend, priority));
    __tsan_func_entry(__builtin_return_address(0));
    create(self, function, data, copy, size, alignment, deferred, flags & DEPENDS ? depend : NULL);
    __tsan_func_exit();
}

CS_PUBLIC void GOMP_taskwait(void);
CS_PUBLIC void GOMP_taskwait(void)
{
    CS_ENTER(self, CS_REAL(GOMP_taskwait)());
    struct cs_member *member = cs_member(self);
    if (member->children != NULL) {
        struct wanted all = {.children = member->children};
        await_children(self, &all, self);
        member->children = NULL;
    }
    self->inside = false;
}

CS_PUBLIC void GOMP_taskyield(void);
CS_PUBLIC void GOMP_taskyield(void)
{
    CS_ENTER(self, CS_REAL(GOMP_taskyield)());
    cs_omp_step(self, cs_member(self)->team);
    self->inside = false;
}

/* ---- groups ---- */

static bool in_group(const struct cs_task *task, const struct cs_group *group)
{
    const struct cs_group *found = task->group;
    while (found != NULL && found != group) {
        found = found->outer;
    }
    return found != NULL;
}

static bool group_is_over(struct cs_thread *self, void *subject)
{
    const struct cs_member *member = subject;
    (void)self;
    for (const struct cs_task_list *list = member->team->tasks; list != NULL; list = list->next) {
        if (in_group(list->task, member->group) && !is_over(list->task)) {
            return false;
        }
    }
    return true;
}

static void begin_group(struct cs_member *member)
{
    struct cs_group *group = cs_allocate(sizeof *group);
    group->outer = member->group;
    member->group = group;
}

static void end_group(struct cs_thread *self, struct cs_member *member)
{
    cs_block(CS_parallel, member->group, 3, group_is_over, member, CS_NEVER);
    for (const struct cs_task_list *list = member->team->tasks; list != NULL; list = list->next) {
        if (in_group(list->task, member->group)) {
            cs_acquire(self, &list->task->thread->clock);
        }
    }
    member->group = member->group->outer;
}

CS_PUBLIC void GOMP_taskgroup_start(void);
CS_PUBLIC void GOMP_taskgroup_start(void)
{
    CS_ENTER(self, CS_REAL(GOMP_taskgroup_start)());
    begin_group(cs_member(self));
    self->inside = false;
}

CS_PUBLIC void GOMP_taskgroup_end(void);
CS_PUBLIC void GOMP_taskgroup_end(void)
{
    CS_ENTER(self, CS_REAL(GOMP_taskgroup_end)());
    end_group(self, cs_member(self));
    self->inside = false;
}

/* A loop whose pieces are tasks; their data begins with the first counter and the end. */
CS_PUBLIC void GOMP_taskloop(void (*function)(void *), void *data, void (*copy)(void *, void *), long size,
                             long alignment, unsigned flags, unsigned long tasks, int priority, long first, long end,
                             long step);
CS_PUBLIC void GOMP_taskloop(void (*function)(void *), void *data, void (*copy)(void *, void *), long size,
                             long alignment, unsigned flags, unsigned long tasks, int priority, long first, long end,
                             long step)
{
    CS_ENTER(self,
             CS_REAL(GOMP_taskloop)(function, data, copy, size, alignment, flags, tasks, priority, first, end, step));
    struct cs_member *member = cs_member(self);
    long count = step > 0 ? (end - first + step - 1) / step : (first - end - step - 1) / -step;
    if (count <= 0) {
        self->inside = false;
        return;
    }
    __tsan_func_entry(__builtin_return_address(0));
    unsigned long pieces = (flags & GRAIN_SIZE) != 0 ? (unsigned long)count / (tasks == 0 ? 1 : tasks)
        : tasks == 0                                 ? member->team->count
                                                     : tasks;
    pieces = pieces<1 ? 1 : pieces>(unsigned long) count ? (unsigned long)count : pieces;
    bool group = (flags & WITHOUT_GROUP) == 0;
    if (group) {
        begin_group(member);
    }
    long at = first;
    for (unsigned long n = 0; n < pieces; n++) {
        long length = count / (long)pieces + (n < (unsigned long)count % pieces);
        long *bounds = data_of(data, copy, size, alignment);
        bounds[0] = at;
        bounds[1] = at = at + length * step;
        self->inside = true;
        create(self, function, bounds, NULL, size, alignment, true, NULL);
    }
    self->inside = true;
    if (group) {
        end_group(self, member);
    }
    self->inside = false;
    __tsan_func_exit();
}
