/* Read-write locks. Readers are preferred as in glibc, unless the lock's attribute says that writers are. */
#include <errno.h>

#include "sync.h"

#define MARK 0x43534451 /* in a lock that has been destroyed */

/* Who holds a lock for reading, and how often. */
struct readers {
    uint16_t times[CS_MOST_THREADS];
};

static struct cs_object *seen(pthread_rwlock_t *lock)
{
    struct cs_object *object = cs_object(CS_KIND_RWLOCK, lock);
    if (object->state == CS_UNSEEN) {
        object->state = CS_ALIVE;
    } else if (object->state == CS_DESTROYED && lock->__data.__writers != MARK) {
        cs_renew(object);
    }
    object->type = lock->__data.__flags;
    return object;
}

static struct cs_object *entered(struct cs_thread *self, pthread_rwlock_t *lock)
{
    cs_touch(self, lock, CS_ACCESS_READ);
    struct cs_object *object = seen(lock);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed, lock);
    }
    return object;
}

static uint16_t *held_by(struct cs_object *object, const struct cs_thread *self)
{
    if (object->more == NULL) {
        object->more = cs_allocate(sizeof(struct readers));
    }
    return &((struct readers *)object->more)->times[self->number];
}

static bool prefers_writers(const struct cs_object *object)
{
    return object->type == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool can_read(struct cs_thread *self, void *subject)
{
    const struct cs_object *lock = subject;
    if (lock->kind != CS_KIND_RWLOCK || lock->owner == self) {
        return true; /* freed memory, or EDEADLK */
    }
    return lock->owner == NULL && (lock->waiters == 0 || !prefers_writers(lock));
}

static bool can_write(struct cs_thread *self, void *subject)
{
    const struct cs_object *lock = subject;
    return lock->kind != CS_KIND_RWLOCK || lock->owner == self || (lock->owner == NULL && lock->count == 0);
}

static int take_for_reading(struct cs_thread *self, struct cs_object *object)
{
    if (object->owner == self) {
        return EDEADLK;
    }
    uint16_t *times = held_by(object, self);
    if (*times == UINT16_MAX) {
        return EAGAIN;
    }
    ++*times;
    object->count++;
    object->since = self->entry;
    cs_acquire(self, &object->clock);
    return 0;
}

static int take_for_writing(struct cs_thread *self, struct cs_object *object)
{
    if (object->owner == self) {
        return EDEADLK;
    }
    object->owner = self;
    object->since = self->entry;
    cs_acquire(self, &object->clock);
    cs_acquire(self, &object->readers);
    cs_clock_clear(&object->readers);
    return 0;
}

static int read_lock(struct cs_thread *self, pthread_rwlock_t *lock, enum cs_op op, uint64_t deadline, int late)
{
    bool able = cs_block(op, lock, 0, can_read, seen(lock), deadline);
    struct cs_object *object = entered(self, lock);
    return cs_result(self, able ? take_for_reading(self, object) : late);
}

/* Where writers are preferred, that one has come and waits is an event of its own: later readers wait for it. */
static void come(struct cs_thread *self, pthread_rwlock_t *lock, enum cs_op op)
{
    cs_step(op, lock, 0);
    struct cs_object *object = entered(self, lock);
    if (!can_write(self, object)) {
        object->waiters++;
        cs_done(self, EBUSY, CS_FAILED);
    }
}

static int write_lock(struct cs_thread *self, pthread_rwlock_t *lock, enum cs_op op, uint64_t deadline, int late)
{
    struct cs_object *object = seen(lock);
    bool able = true;
    if (!prefers_writers(object)) {
        able = cs_block(op, lock, 0, can_write, object, deadline);
        object = entered(self, lock);
    } else {
        come(self, lock, op);
        object = seen(lock);
        if (!can_write(self, object)) {
            able = cs_block(op, lock, 0, can_write, object, deadline);
            object = entered(self, lock);
            object->waiters -= object->waiters > 0;
        }
    }
    return cs_result(self, able ? take_for_writing(self, object) : late);
}

static int timed(struct cs_thread *self, pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time,
                 bool writes)
{
    if (!cs_valid_time(time)) {
        return writes ? write_lock(self, lock, CS_timed_write_lock, cs_now, EINVAL)
                      : read_lock(self, lock, CS_timed_read_lock, cs_now, EINVAL);
    }
    uint64_t deadline = cs_deadline(clock, time);
    return writes ? write_lock(self, lock, CS_timed_write_lock, deadline, ETIMEDOUT)
                  : read_lock(self, lock, CS_timed_read_lock, deadline, ETIMEDOUT);
}

CS_PUBLIC int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_init)(lock, attributes));
    cs_step(CS_rwlock_init, lock, 0);
    cs_touch(self, lock, CS_ACCESS_WRITE);
    int error = CS_REAL(pthread_rwlock_init)(lock, attributes);
    if (error == 0) {
        cs_renew(cs_object(CS_KIND_RWLOCK, lock));
    }
    return cs_result(self, error);
}

CS_PUBLIC int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_destroy)(lock));
    cs_step(CS_rwlock_destroy, lock, 0);
    struct cs_object *object = seen(lock);
    cs_touch(self, lock, CS_ACCESS_WRITE);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed_twice, lock);
    }
    if (object->owner != NULL || object->count > 0) {
        cs_misuse(CS_MISUSE_in_use, lock);
    }
    int error = CS_REAL(pthread_rwlock_destroy)(lock);
    object->state = CS_DESTROYED;
    lock->__data.__writers = MARK;
    return cs_result(self, error);
}

CS_PUBLIC int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_rdlock)(lock));
    return read_lock(self, lock, CS_read_lock, CS_NEVER, 0);
}

CS_PUBLIC int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_wrlock)(lock));
    return write_lock(self, lock, CS_write_lock, CS_NEVER, 0);
}

CS_PUBLIC int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_tryrdlock)(lock));
    cs_step(CS_try_read_lock, lock, 0);
    struct cs_object *object = entered(self, lock);
    bool taken = object->owner != self && can_read(self, object);
    return cs_result(self, taken ? take_for_reading(self, object) : EBUSY);
}

CS_PUBLIC int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_trywrlock)(lock));
    cs_step(CS_try_write_lock, lock, 0);
    struct cs_object *object = entered(self, lock);
    bool taken = object->owner != self && can_write(self, object);
    return cs_result(self, taken ? take_for_writing(self, object) : EBUSY);
}

CS_PUBLIC int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_timedrdlock)(lock, time));
    return timed(self, lock, CLOCK_REALTIME, time, false);
}

CS_PUBLIC int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_timedwrlock)(lock, time));
    return timed(self, lock, CLOCK_REALTIME, time, true);
}

CS_PUBLIC int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_clockrdlock)(lock, clock, time));
    return timed(self, lock, clock, time, false);
}

CS_PUBLIC int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_clockwrlock)(lock, clock, time));
    return timed(self, lock, clock, time, true);
}

CS_PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_rwlock_unlock)(lock));
    cs_step(CS_rwlock_unlock, lock, 0);
    struct cs_object *object = entered(self, lock);
    uint16_t *times = held_by(object, self);
    if (object->owner == self) {
        object->owner = NULL;
        cs_release_only(self, &object->clock);
    } else if (*times > 0) {
        --*times;
        object->count--;
        cs_release(self, &object->readers);
    } else {
        cs_misuse(CS_MISUSE_not_held, lock);
    }
    return cs_result(self, 0);
}
