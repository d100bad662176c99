/* pthread_once. The control variable holds what glibc would write: 1 while the routine runs, 2 when it has run. */
#include "sync.h"

enum { IN_PROGRESS = 1, FINISHED = 2 };

static bool is_idle(struct cs_thread *self, void *control)
{
    (void)self;
    return (*(const int *)control & 3) != IN_PROGRESS;
}

/* The routine was left by an exception, pthread_exit or cancellation: the next thread tries again. */
static void leave_routine(int **control)
{
    struct cs_thread *self = cs_self;
    if (*control == NULL || self == NULL) {
        return;
    }
    bool inside = self->inside;
    self->inside = true;
    cs_step(CS_once_finish, *control, 0);
    cs_done(self, 0, CS_FAILED);
    **control = 0;
    cs_release(self, &cs_object(CS_KIND_ONCE, *control)->clock);
    self->inside = inside;
}

static void run(struct cs_thread *self, int *control, void (*routine)(void))
{
    __attribute__((cleanup(leave_routine))) int *running = control;
    self->inside = false;
    routine();
    self->inside = true;
    running = NULL;
}

int cs_once(struct cs_thread *self, int *control, void (*routine)(void))
{
    if ((*control & 3) == FINISHED) {
        cs_step(CS_once_pass, control, 0);
    } else {
        cs_block(CS_once_begin, control, 0, is_idle, control, CS_NEVER);
    }
    cs_touch(self, control, CS_ACCESS_READ);
    struct cs_object *object = cs_object(CS_KIND_ONCE, control);
    if ((*control & 3) == FINISHED) {
        cs_rename(self, CS_once_pass);
        cs_acquire(self, &object->clock);
        return cs_leave(self, 0);
    }
    *control = IN_PROGRESS;
    object->owner = self;
    object->since = self->entry;
    cs_acquire(self, &object->clock);
    run(self, control, routine);
    cs_step(CS_once_finish, control, 0);
    object = cs_object(CS_KIND_ONCE, control);
    object->owner = NULL;
    *control = FINISHED;
    cs_release(self, &object->clock);
    return cs_leave(self, 0);
}

CS_PUBLIC int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    CS_ENTER(self, CS_REAL(pthread_once)(control, routine));
    return cs_once(self, control, routine);
}
