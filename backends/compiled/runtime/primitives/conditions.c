/* Condition variables. Which of the waiting threads a signal wakes is a choice; it goes on when the mutex is free too.
 */
#include <errno.h>

#include "sync.h"

#define MARK 0x43534443u /* in a condition variable that has been destroyed */
#define MONOTONIC 2u     /* glibc's bit of the clock */

/* A thread that waits, in its own stack: the first of them is `more` of the condition variable. */
struct waiter {
    struct waiter *next;
    struct cs_thread *thread;
    struct cs_object *mutex;
    bool woken;
};

static struct cs_object *seen(pthread_cond_t *condition)
{
    struct cs_object *object = cs_object(CS_KIND_CONDITION, condition);
    if (object->state == CS_UNSEEN) {
        object->state = CS_ALIVE;
    } else if (object->state == CS_DESTROYED && condition->__data.__g_size[0] != MARK) {
        cs_renew(object);
    }
    return object;
}

static struct cs_object *entered(struct cs_thread *self, pthread_cond_t *condition)
{
    cs_touch(self, condition, CS_ACCESS_READ);
    struct cs_object *object = seen(condition);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed, condition);
    }
    return object;
}

static void add(struct cs_object *object, struct waiter *waiter)
{
    struct waiter **place = (struct waiter **)&object->more;
    while (*place != NULL) {
        if ((*place)->mutex != waiter->mutex) {
            cs_misuse(CS_MISUSE_other_mutex, (const void *)object->address);
        }
        place = &(*place)->next;
    }
    *place = waiter;
    object->waiters++;
}

static void take_out(struct cs_object *object, const struct waiter *waiter)
{
    for (struct waiter **place = (struct waiter **)&object->more; *place != NULL; place = &(*place)->next) {
        if (*place == waiter) {
            *place = waiter->next;
            object->waiters--;
            return;
        }
    }
}

static bool can_return(struct cs_thread *self, void *subject)
{
    const struct waiter *waiter = subject;
    return (waiter->woken || cs_must_cancel(self)) && cs_mutex_available(self, waiter->mutex);
}

/* The mutex is locked again: what the call returns. */
static int return_with(struct cs_thread *self, pthread_mutex_t *mutex, int result)
{
    struct cs_object *object = cs_mutex_entered(self, mutex);
    if (!cs_mutex_available(self, object)) {
        cs_done(self, (uint64_t)result, CS_FAILED);
        cs_block(CS_wake, mutex, self->next.argument, cs_mutex_available, object, CS_NEVER);
        object = cs_mutex_entered(self, mutex);
    }
    int error = cs_mutex_take(self, object);
    return error != 0 ? error : result;
}

static int wait(struct cs_thread *self, pthread_cond_t *condition, pthread_mutex_t *mutex, enum cs_op op,
                uint64_t deadline)
{
    cs_cancel_point(self);
    cs_step(op, condition, (uint64_t)mutex);
    struct cs_object *object = entered(self, condition);
    struct waiter waiter = {.thread = self, .mutex = cs_mutex_entered(self, mutex)};
    int error = cs_mutex_give(self, waiter.mutex, CS_MISUSE_waits_unlocked);
    if (error != 0) {
        return cs_result(self, error);
    }
    if (cs_spurious()) {
        waiter.woken = true;
    } else {
        add(object, &waiter);
    }
    bool in_time = cs_block(CS_wake, mutex, (uint64_t)condition, can_return, &waiter, deadline);
    if (!waiter.woken) {
        take_out(object, &waiter);
    }
    error = return_with(self, mutex, waiter.woken || in_time ? 0 : ETIMEDOUT);
    if (!waiter.woken && in_time) {
        cs_cancel_point(self);
    }
    cs_done(self, (uint64_t)error, error == ETIMEDOUT ? CS_TIMED_OUT : 0);
    return cs_leave(self, error);
}

int cs_condition_wait(struct cs_thread *self, pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return wait(self, condition, mutex, CS_wait, CS_NEVER);
}

int cs_condition_timed(struct cs_thread *self, pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                       const struct timespec *time)
{
    if (!cs_valid_time(time)) {
        return cs_leave(self, EINVAL);
    }
    return wait(self, condition, mutex, CS_timed_wait, cs_deadline(clock, time));
}

static void wake(struct cs_object *object, struct cs_thread *thread)
{
    struct waiter *waiter = object->more;
    while (waiter->thread != thread) {
        waiter = waiter->next;
    }
    waiter->woken = true;
    take_out(object, waiter);
}

int cs_condition_signal(struct cs_thread *self, pthread_cond_t *condition)
{
    cs_step(CS_signal, condition, 0);
    struct cs_object *object = entered(self, condition);
    static uint16_t waiting[CS_MOST_THREADS];
    uint32_t count = 0;
    for (const struct waiter *waiter = object->more; waiter != NULL; waiter = waiter->next) {
        waiting[count++] = (uint16_t)waiter->thread->number;
    }
    uint64_t woken = 0;
    if (count > 0) {
        uint32_t chosen = cs_choose(CS_CHOICE_WAITER, waiting, count);
        wake(object, cs_threads[chosen]);
        woken = chosen + 1;
    }
    cs_done(self, woken, 0);
    return cs_leave(self, 0);
}

int cs_condition_broadcast(struct cs_thread *self, pthread_cond_t *condition)
{
    cs_step(CS_broadcast, condition, 0);
    struct cs_object *object = entered(self, condition);
    uint64_t woken = 0;
    for (; object->more != NULL; woken++) {
        wake(object, ((struct waiter *)object->more)->thread);
    }
    cs_done(self, woken, 0);
    return cs_leave(self, 0);
}

int cs_condition_init(struct cs_thread *self, pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    cs_step(CS_cond_init, condition, 0);
    cs_touch(self, condition, CS_ACCESS_WRITE);
    int error = CS_REAL(pthread_cond_init)(condition, attributes);
    if (error == 0) {
        cs_renew(cs_object(CS_KIND_CONDITION, condition));
    }
    return cs_result(self, error);
}

int cs_condition_destroy(struct cs_thread *self, pthread_cond_t *condition)
{
    cs_step(CS_cond_destroy, condition, 0);
    struct cs_object *object = seen(condition);
    cs_touch(self, condition, CS_ACCESS_WRITE);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed_twice, condition);
    }
    if (object->more != NULL) {
        cs_misuse(CS_MISUSE_in_use, condition);
    }
    object->state = CS_DESTROYED;
    condition->__data.__g_size[0] = MARK;
    return cs_result(self, 0);
}

CS_PUBLIC int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    CS_ENTER(self, CS_REAL(pthread_cond_init)(condition, attributes));
    return cs_condition_init(self, condition, attributes);
}

CS_PUBLIC int pthread_cond_destroy(pthread_cond_t *condition)
{
    CS_ENTER(self, CS_REAL(pthread_cond_destroy)(condition));
    return cs_condition_destroy(self, condition);
}

CS_PUBLIC int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    CS_ENTER(self, CS_REAL(pthread_cond_wait)(condition, mutex));
    return cs_condition_wait(self, condition, mutex);
}

CS_PUBLIC int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_cond_timedwait)(condition, mutex, time));
    bool monotonic = (condition->__data.__wrefs & MONOTONIC) != 0;
    return cs_condition_timed(self, condition, mutex, monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, time);
}

CS_PUBLIC int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                     const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_cond_clockwait)(condition, mutex, clock, time));
    return cs_condition_timed(self, condition, mutex, clock, time);
}

CS_PUBLIC int pthread_cond_signal(pthread_cond_t *condition)
{
    CS_ENTER(self, CS_REAL(pthread_cond_signal)(condition));
    return cs_condition_signal(self, condition);
}

CS_PUBLIC int pthread_cond_broadcast(pthread_cond_t *condition)
{
    CS_ENTER(self, CS_REAL(pthread_cond_broadcast)(condition));
    return cs_condition_broadcast(self, condition);
}
