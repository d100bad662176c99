/* Semaphores, unnamed ones. */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include "sync.h"

#define MARK 0x43534453454d4d44u /* in a semaphore that has been destroyed */

/* What glibc keeps in a semaphore: its value, and how many threads wait. */
static uint64_t *content_of(sem_t *semaphore) { return (uint64_t *)(void *)semaphore; }

static struct cs_object *seen(sem_t *semaphore)
{
    struct cs_object *object = cs_object(CS_KIND_SEMAPHORE, semaphore);
    bool again = object->state == CS_DESTROYED && *content_of(semaphore) != MARK;
    if (object->state == CS_UNSEEN || again) {
        int value = 0;
        CS_REAL(sem_getvalue)(semaphore, &value); /* made before the run, or where we do not see it */
        cs_renew(object);
        object->count = (uint32_t)value;
    }
    return object;
}

static struct cs_object *entered(struct cs_thread *self, sem_t *semaphore)
{
    cs_touch(self, semaphore, CS_ACCESS_READ);
    struct cs_object *object = seen(semaphore);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed, semaphore);
    }
    return object;
}

static bool is_positive(struct cs_thread *self, void *subject)
{
    const struct cs_object *semaphore = subject;
    return semaphore->kind != CS_KIND_SEMAPHORE || semaphore->count > 0 || cs_must_cancel(self);
}

static int take(struct cs_thread *self, sem_t *semaphore, enum cs_op op, uint64_t deadline, int late)
{
    cs_cancel_point(self);
    struct cs_object *object = seen(semaphore);
    object->waiters++;
    bool able = cs_block(op, semaphore, 0, is_positive, object, deadline);
    object = entered(self, semaphore);
    object->waiters -= object->waiters > 0;
    if (able && object->count == 0) {
        cs_done(self, ECANCELED, CS_FAILED);
        cs_cancel_point(self);
    }
    if (!able) {
        return cs_result_errno(self, late);
    }
    object->count--;
    cs_acquire(self, &object->clock);
    return cs_result_errno(self, 0);
}

static int timed(struct cs_thread *self, sem_t *semaphore, clockid_t clock, const struct timespec *time)
{
    bool valid = cs_valid_time(time);
    return take(self, semaphore, CS_timed_take, valid ? cs_deadline(clock, time) : cs_now, valid ? ETIMEDOUT : EINVAL);
}

CS_PUBLIC int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    CS_ENTER(self, CS_REAL(sem_init)(semaphore, shared, value));
    cs_step(CS_semaphore_init, semaphore, value);
    cs_touch(self, semaphore, CS_ACCESS_WRITE);
    int error = CS_REAL(sem_init)(semaphore, shared, value) == 0 ? 0 : errno;
    if (error == 0) {
        struct cs_object *object = cs_object(CS_KIND_SEMAPHORE, semaphore);
        cs_renew(object);
        object->count = value;
    }
    return cs_result_errno(self, error);
}

CS_PUBLIC int sem_destroy(sem_t *semaphore)
{
    CS_ENTER(self, CS_REAL(sem_destroy)(semaphore));
    cs_step(CS_semaphore_destroy, semaphore, 0);
    struct cs_object *object = seen(semaphore);
    cs_touch(self, semaphore, CS_ACCESS_WRITE);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed_twice, semaphore);
    }
    if (object->waiters > 0 && object->count == 0) {
        cs_misuse(CS_MISUSE_in_use, semaphore);
    }
    object->state = CS_DESTROYED;
    *content_of(semaphore) = MARK;
    return cs_result_errno(self, 0);
}

CS_PUBLIC int sem_wait(sem_t *semaphore)
{
    CS_ENTER(self, CS_REAL(sem_wait)(semaphore));
    return take(self, semaphore, CS_take, CS_NEVER, 0);
}

CS_PUBLIC int sem_timedwait(sem_t *semaphore, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(sem_timedwait)(semaphore, time));
    return timed(self, semaphore, CLOCK_REALTIME, time);
}

CS_PUBLIC int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(sem_clockwait)(semaphore, clock, time));
    return timed(self, semaphore, clock, time);
}

CS_PUBLIC int sem_trywait(sem_t *semaphore)
{
    CS_ENTER(self, CS_REAL(sem_trywait)(semaphore));
    cs_step(CS_try_take, semaphore, 0);
    struct cs_object *object = entered(self, semaphore);
    if (object->count == 0) {
        return cs_result_errno(self, EAGAIN);
    }
    object->count--;
    cs_acquire(self, &object->clock);
    return cs_result_errno(self, 0);
}

CS_PUBLIC int sem_post(sem_t *semaphore)
{
    CS_ENTER(self, CS_REAL(sem_post)(semaphore));
    cs_step(CS_give, semaphore, 0);
    struct cs_object *object = entered(self, semaphore);
    if (object->count == SEM_VALUE_MAX) {
        return cs_result_errno(self, EOVERFLOW);
    }
    object->count++;
    cs_release(self, &object->clock);
    return cs_result_errno(self, 0);
}

CS_PUBLIC int sem_getvalue(sem_t *semaphore, int *value)
{
    CS_ENTER(self, CS_REAL(sem_getvalue)(semaphore, value));
    cs_step(CS_semaphore_value, semaphore, 0);
    struct cs_object *object = entered(self, semaphore);
    *value = (int)object->count;
    cs_done(self, object->count, 0);
    return cs_leave(self, 0);
}
