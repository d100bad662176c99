/* Mutexes. The type and whether it is robust are read from the mutex itself, as static initialisers write them. */
#include <errno.h>

#include "sync.h"

#define TYPE 3
#define ROBUST 16
#define DEAD_KIND (-1) /* what glibc leaves in a mutex that has been destroyed */

/* `limit` of a robust mutex. */
enum robust { CONSISTENT, OWNER_DIED, INCONSISTENT, NOT_RECOVERABLE };

static struct cs_object **robust; /* those that have been locked */
static uint32_t robust_count, robust_capacity;

struct cs_object *cs_mutex_seen(pthread_mutex_t *mutex)
{
    struct cs_object *object = cs_object(CS_KIND_MUTEX, mutex);
    int kind = mutex->__data.__kind;
    if (object->state == CS_UNSEEN) {
        object->state = CS_ALIVE;
    } else if (object->state == CS_DESTROYED && kind != DEAD_KIND) {
        cs_renew(object);
    }
    object->type = (uint32_t)kind & (TYPE | ROBUST);
    return object;
}

static int type_of(const struct cs_object *object) { return object->type & TYPE; }

struct cs_object *cs_mutex_entered(struct cs_thread *self, pthread_mutex_t *mutex)
{
    cs_touch(self, mutex, CS_ACCESS_READ);
    struct cs_object *object = cs_mutex_seen(mutex);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed, mutex);
    }
    return object;
}

bool cs_mutex_available(struct cs_thread *self, void *subject)
{
    const struct cs_object *mutex = subject;
    if (mutex->kind != CS_KIND_MUTEX || mutex->owner == NULL) {
        return true; /* freed memory: it goes on, and that is found then */
    }
    int type = type_of(mutex);
    return mutex->owner == self && (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK);
}

static void remember_robust(struct cs_object *object)
{
    for (uint32_t n = 0; n < robust_count; n++) {
        if (robust[n] == object) {
            return;
        }
    }
    if (robust_count == robust_capacity) {
        struct cs_object **before = robust;
        robust_capacity = robust_capacity == 0 ? 16 : 2 * robust_capacity;
        robust = cs_allocate(robust_capacity * sizeof *robust);
        for (uint32_t n = 0; n < robust_count; n++) {
            robust[n] = before[n];
        }
    }
    robust[robust_count++] = object;
}

void cs_mutexes_abandoned(struct cs_thread *self)
{
    for (uint32_t n = 0; n < robust_count; n++) {
        struct cs_object *object = robust[n];
        if (object->kind != CS_KIND_MUTEX || object->owner != self || (object->type & ROBUST) == 0) {
            continue;
        }
        cs_step(CS_unlock, (const void *)object->address, 0);
        cs_done(self, EOWNERDEAD, CS_FAILED);
        object->owner = NULL;
        object->count = 0;
        object->limit = object->limit == NOT_RECOVERABLE ? NOT_RECOVERABLE : OWNER_DIED;
        cs_release_only(self, &object->clock);
    }
}

int cs_mutex_take(struct cs_thread *self, struct cs_object *object)
{
    if (object->limit == NOT_RECOVERABLE) {
        return ENOTRECOVERABLE;
    }
    if (object->owner == self) {
        if (type_of(object) == PTHREAD_MUTEX_ERRORCHECK) {
            return EDEADLK;
        }
        object->count++;
        return 0;
    }
    object->owner = self;
    object->count = 1;
    object->since = self->entry;
    cs_acquire(self, &object->clock);
    if ((object->type & ROBUST) == 0) {
        return 0;
    }
    remember_robust(object);
    if (object->limit != OWNER_DIED) {
        return 0;
    }
    object->limit = INCONSISTENT;
    return EOWNERDEAD;
}

int cs_mutex_give(struct cs_thread *self, struct cs_object *object, enum cs_misuse misuse)
{
    if (object->owner != self) {
        int type = type_of(object);
        if (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK || object->type & ROBUST) {
            return EPERM;
        }
        cs_misuse(misuse, (const void *)object->address);
    }
    if (--object->count > 0) {
        return 0;
    }
    object->owner = NULL;
    if (object->limit == INCONSISTENT) {
        object->limit = NOT_RECOVERABLE;
    }
    cs_release_only(self, &object->clock);
    return 0;
}

int cs_mutex_lock(struct cs_thread *self, pthread_mutex_t *mutex)
{
    cs_block(CS_lock, mutex, 0, cs_mutex_available, cs_mutex_seen(mutex), CS_NEVER);
    return cs_result(self, cs_mutex_take(self, cs_mutex_entered(self, mutex)));
}

int cs_mutex_try(struct cs_thread *self, pthread_mutex_t *mutex, bool spurious)
{
    cs_step(CS_try_lock, mutex, 0);
    struct cs_object *object = cs_mutex_entered(self, mutex);
    bool again = object->owner == self && type_of(object) == PTHREAD_MUTEX_RECURSIVE;
    bool taken = (object->owner == NULL || again) && !(spurious && cs_spurious());
    return cs_result(self, taken ? cs_mutex_take(self, object) : EBUSY);
}

int cs_mutex_timed(struct cs_thread *self, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time)
{
    bool valid = cs_valid_time(time);
    uint64_t deadline = valid ? cs_deadline(clock, time) : cs_now;
    bool available = cs_block(CS_timed_lock, mutex, 0, cs_mutex_available, cs_mutex_seen(mutex), deadline);
    struct cs_object *object = cs_mutex_entered(self, mutex);
    return cs_result(self, available ? cs_mutex_take(self, object) : valid ? ETIMEDOUT : EINVAL);
}

int cs_mutex_unlock(struct cs_thread *self, pthread_mutex_t *mutex)
{
    cs_step(CS_unlock, mutex, 0);
    return cs_result(self, cs_mutex_give(self, cs_mutex_entered(self, mutex), CS_MISUSE_not_held));
}

int cs_mutex_destroy(struct cs_thread *self, pthread_mutex_t *mutex)
{
    cs_step(CS_mutex_destroy, mutex, 0);
    struct cs_object *object = cs_mutex_seen(mutex);
    cs_touch(self, mutex, CS_ACCESS_WRITE);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed_twice, mutex);
    }
    if (object->owner != NULL) {
        cs_misuse(CS_MISUSE_in_use, mutex);
    }
    int error = CS_REAL(pthread_mutex_destroy)(mutex);
    object->state = CS_DESTROYED;
    return cs_result(self, error);
}

CS_PUBLIC int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    CS_ENTER(self, CS_REAL(pthread_mutex_init)(mutex, attributes));
    cs_step(CS_mutex_init, mutex, 0);
    cs_touch(self, mutex, CS_ACCESS_WRITE);
    int error = CS_REAL(pthread_mutex_init)(mutex, attributes);
    if (error == 0) {
        cs_renew(cs_object(CS_KIND_MUTEX, mutex));
    }
    return cs_result(self, error);
}

CS_PUBLIC int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    CS_ENTER(self, CS_REAL(pthread_mutex_destroy)(mutex));
    return cs_mutex_destroy(self, mutex);
}

CS_PUBLIC int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    CS_ENTER(self, CS_REAL(pthread_mutex_lock)(mutex));
    return cs_mutex_lock(self, mutex);
}

CS_PUBLIC int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    CS_ENTER(self, CS_REAL(pthread_mutex_trylock)(mutex));
    return cs_mutex_try(self, mutex, false);
}

CS_PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_mutex_timedlock)(mutex, time));
    return cs_mutex_timed(self, mutex, CLOCK_REALTIME, time);
}

CS_PUBLIC int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time)
{
    CS_ENTER(self, CS_REAL(pthread_mutex_clocklock)(mutex, clock, time));
    return cs_mutex_timed(self, mutex, clock, time);
}

CS_PUBLIC int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    CS_ENTER(self, CS_REAL(pthread_mutex_unlock)(mutex));
    return cs_mutex_unlock(self, mutex);
}

CS_PUBLIC int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    CS_ENTER(self, CS_REAL(pthread_mutex_consistent)(mutex));
    struct cs_object *object = cs_mutex_seen(mutex);
    bool possible = object->owner == self && object->limit == INCONSISTENT;
    if (possible) {
        object->limit = CONSISTENT;
    }
    return cs_leave(self, possible ? 0 : EINVAL);
}
