/* Spin locks: a thread that would spin waits. */
#include <errno.h>

#include "sync.h"

#define MARK 0x43534453 /* in a lock that has been destroyed */

static struct cs_object *seen(pthread_spinlock_t *lock)
{
    struct cs_object *object = cs_object(CS_KIND_SPIN, (const void *)lock);
    if (object->state == CS_UNSEEN) {
        object->state = CS_ALIVE;
    } else if (object->state == CS_DESTROYED && *lock != MARK) {
        cs_renew(object);
    }
    return object;
}

static struct cs_object *entered(struct cs_thread *self, pthread_spinlock_t *lock)
{
    cs_touch(self, (const void *)lock, CS_ACCESS_READ);
    struct cs_object *object = seen(lock);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed, (const void *)lock);
    }
    return object;
}

static bool is_free(struct cs_thread *self, void *subject)
{
    (void)self;
    const struct cs_object *lock = subject;
    return lock->kind != CS_KIND_SPIN || lock->owner == NULL;
}

static void take(struct cs_thread *self, struct cs_object *object)
{
    object->owner = self;
    object->since = self->entry;
    cs_acquire(self, &object->clock);
}

CS_PUBLIC int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    CS_ENTER(self, CS_REAL(pthread_spin_init)(lock, shared));
    cs_step(CS_spin_init, (const void *)lock, 0);
    cs_touch(self, (const void *)lock, CS_ACCESS_WRITE);
    int error = CS_REAL(pthread_spin_init)(lock, shared);
    cs_renew(cs_object(CS_KIND_SPIN, (const void *)lock));
    return cs_result(self, error);
}

CS_PUBLIC int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_spin_destroy)(lock));
    cs_step(CS_spin_destroy, (const void *)lock, 0);
    struct cs_object *object = seen(lock);
    cs_touch(self, (const void *)lock, CS_ACCESS_WRITE);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed_twice, (const void *)lock);
    }
    if (object->owner != NULL) {
        cs_misuse(CS_MISUSE_in_use, (const void *)lock);
    }
    object->state = CS_DESTROYED;
    *lock = MARK;
    return cs_result(self, 0);
}

CS_PUBLIC int pthread_spin_lock(pthread_spinlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_spin_lock)(lock));
    cs_block(CS_spin_lock, (const void *)lock, 0, is_free, seen(lock), CS_NEVER);
    take(self, entered(self, lock));
    return cs_result(self, 0);
}

CS_PUBLIC int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_spin_trylock)(lock));
    cs_step(CS_spin_try_lock, (const void *)lock, 0);
    struct cs_object *object = entered(self, lock);
    if (object->owner != NULL) {
        return cs_result(self, EBUSY);
    }
    take(self, object);
    return cs_result(self, 0);
}

CS_PUBLIC int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    CS_ENTER(self, CS_REAL(pthread_spin_unlock)(lock));
    cs_step(CS_spin_unlock, (const void *)lock, 0);
    struct cs_object *object = entered(self, lock);
    if (object->owner != self) {
        cs_misuse(CS_MISUSE_not_held, (const void *)lock);
    }
    object->owner = NULL;
    cs_release_only(self, &object->clock);
    return cs_result(self, 0);
}
