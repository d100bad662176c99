/* OpenMP as gcc compiles it: the functions of libgomp, on threads that the scheduler knows. libgomp's own threads wait
 * in ways that are not seen here. */
#ifndef CSEQ_OPENMP_H
#define CSEQ_OPENMP_H

#include "sync.h"

/* A loop, sections or a single: the construct with the same number in all threads of a team. */
struct cs_share {
    uint32_t number;
    bool up;
    uint64_t next, end, step, chunk; /* two's complement where the loop is signed */
    uint64_t tickets, serving;       /* of an ordered loop: pieces that were handed out, and those that are over */
    struct cs_clock order;
    struct cs_share *before;
};

struct cs_task {
    struct cs_thread *thread; /* NULL: it has run in the thread that created it */
    struct cs_group *group;
    void **depend;
    struct cs_task *older; /* of the same parent */
};

struct cs_group {
    struct cs_group *outer;
};

struct cs_team {
    uint32_t count, level;
    struct cs_member *parent;
    struct cs_share *shares;
    uint32_t arrived, generation; /* at the barrier */
    struct cs_clock barrier;
    void *copied; /* of a copyprivate */
    struct cs_task_list *tasks;
};

/* A thread in a team, or that runs a task of a thread in a team. */
struct cs_member {
    struct cs_team *team;
    uint32_t number;
    uint32_t shares; /* how many constructs it has met */
    struct cs_share *share;
    uint64_t ticket;
    bool has_ticket;
    struct cs_task *task;     /* NULL: the team's own function */
    struct cs_task *children; /* of the function or the task, the youngest first */
    struct cs_group *group;
};

/* What the running thread is in a team; made for a thread that is in none. */
struct cs_member *cs_member(struct cs_thread *self);
void cs_member_set(const struct cs_thread *thread, struct cs_member *member);

/* Announce an operation of the library. */
void cs_omp_step(struct cs_thread *self, const void *object);
/* The construct that the member meets now. `first`: whether it is the first of its team. */
struct cs_share *cs_share_next(struct cs_member *member, bool *first);
/* All threads of the team wait for each other and for the tasks of the team. */
void cs_team_wait(struct cs_thread *self, struct cs_member *member);
/* A thread that runs function(argument) in a team. The caller is not inside the runtime. */
struct cs_thread *cs_omp_thread(void (*function)(void *), void *argument, struct cs_member *member);
/* Wait for a thread from it. The caller is not inside the runtime. */
void cs_omp_join(struct cs_thread *self, struct cs_thread *thread);
/* Run the function in a team. prepare(team, more) comes before the threads; NULL: nothing. */
void cs_omp_parallel(struct cs_thread *self, void (*function)(void *), void *data, unsigned count,
                     void (*prepare)(struct cs_team *, const void *), const void *more);

/* ---- openmptasks.c ---- */

/* Whether all tasks of the team are over; of type cs_ready, the subject is the team. */
bool cs_tasks_over(struct cs_thread *self, void *team);
/* Wait for all tasks of the team, for good. The caller is not inside the runtime. */
void cs_tasks_end(struct cs_thread *self, struct cs_team *team);
/* What they have done happens before what the thread does. */
void cs_tasks_acquire(struct cs_thread *self, const struct cs_team *team);

#define CS_OMP_DEFAULT 4 /* threads, where neither the program nor OMP_NUM_THREADS says how many */

#endif
