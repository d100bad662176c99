/* Barriers. The last one to arrive is the serial thread. */
#include <errno.h>
#include <limits.h>

#include "sync.h"

#define MARK UINT32_MAX /* in a barrier that has been destroyed */

/* Who waits at a barrier, in its own stack: the first of them is `more` of the barrier. */
struct arrived {
    struct arrived *next;
    struct cs_thread *thread;
    bool released;
};

/* Where glibc keeps how many threads meet. */
static uint32_t *number_of(pthread_barrier_t *barrier) { return (uint32_t *)(void *)barrier + 2; }

static struct cs_object *seen(pthread_barrier_t *barrier)
{
    struct cs_object *object = cs_object(CS_KIND_BARRIER, barrier);
    uint32_t number = *number_of(barrier);
    if (object->state != CS_ALIVE && number != 0 && number != MARK) { /* made where we do not see it */
        cs_renew(object);
        object->limit = number;
    }
    return object;
}

static struct cs_object *entered(struct cs_thread *self, pthread_barrier_t *barrier)
{
    cs_touch(self, barrier, CS_ACCESS_READ);
    struct cs_object *object = seen(barrier);
    if (object->state != CS_ALIVE) { /* there is no static initialiser */
        cs_misuse(CS_MISUSE_destroyed, barrier);
    }
    return object;
}

static bool is_released(struct cs_thread *self, void *arrived)
{
    (void)self;
    return ((const struct arrived *)arrived)->released;
}

CS_PUBLIC int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count)
{
    CS_ENTER(self, CS_REAL(pthread_barrier_init)(barrier, attributes, count));
    cs_step(CS_barrier_init, barrier, count);
    cs_touch(self, barrier, CS_ACCESS_WRITE);
    int error = CS_REAL(pthread_barrier_init)(barrier, attributes, count);
    if (error == 0) {
        struct cs_object *object = cs_object(CS_KIND_BARRIER, barrier);
        cs_renew(object);
        object->limit = count;
    }
    return cs_result(self, error);
}

CS_PUBLIC int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    CS_ENTER(self, CS_REAL(pthread_barrier_destroy)(barrier));
    cs_step(CS_barrier_destroy, barrier, 0);
    struct cs_object *object = seen(barrier);
    cs_touch(self, barrier, CS_ACCESS_WRITE);
    if (object->state == CS_DESTROYED) {
        cs_misuse(CS_MISUSE_destroyed_twice, barrier);
    }
    if (object->more != NULL) {
        cs_misuse(CS_MISUSE_in_use, barrier);
    }
    object->state = CS_DESTROYED;
    *number_of(barrier) = MARK;
    return cs_result(self, 0);
}

/* All have arrived: what each has done happens before all go on. */
static void release_all(struct cs_thread *self, struct cs_object *object)
{
    cs_acquire(self, &object->clock);
    for (struct arrived *arrived = object->more; arrived != NULL; arrived = arrived->next) {
        cs_acquire(arrived->thread, &object->clock);
        arrived->released = true;
    }
    cs_clock_clear(&object->clock);
    object->more = NULL;
    object->count = 0;
    object->generation++;
}

CS_PUBLIC int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    CS_ENTER(self, CS_REAL(pthread_barrier_wait)(barrier));
    cs_step(CS_arrive, barrier, 0);
    struct cs_object *object = entered(self, barrier);
    uint32_t generation = object->generation;
    cs_release(self, &object->clock);
    cs_done(self, generation, 0);
    if (++object->count >= object->limit) {
        release_all(self, object);
        return cs_leave(self, PTHREAD_BARRIER_SERIAL_THREAD);
    }
    struct arrived arrived = {.next = object->more, .thread = self};
    object->more = &arrived;
    cs_block(CS_leave, barrier, generation, is_released, &arrived, CS_NEVER);
    return cs_result(self, 0);
}
