/* Cancellation of threads. A cancelled thread ends itself at its next cancellation point, by pthread_exit; with
 * asynchronous cancellation, at its next visible operation. */
#include <errno.h>

#include "sync.h"

CS_PUBLIC int pthread_cancel(pthread_t handle)
{
    CS_ENTER(self, CS_REAL(pthread_cancel)(handle));
    struct cs_thread *other = cs_thread_of(handle);
    cs_step(CS_cancel, (const void *)handle, other != NULL ? other->number : UINT64_MAX);
    if (other == NULL) {
        return cs_result(self, ESRCH);
    }
    other->cancelled = true;
    if (other == self && self->cancel_async) {
        cs_cancel_point(self);
    }
    return cs_result(self, 0);
}

CS_PUBLIC int pthread_setcancelstate(int state, int *before)
{
    CS_ENTER(self, CS_REAL(pthread_setcancelstate)(state, before));
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) {
        return cs_leave(self, EINVAL);
    }
    if (before != NULL) {
        *before = self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    }
    self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    if (self->cancel_async) {
        cs_cancel_point(self);
    }
    return cs_leave(self, 0);
}

CS_PUBLIC int pthread_setcanceltype(int type, int *before)
{
    CS_ENTER(self, CS_REAL(pthread_setcanceltype)(type, before));
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) {
        return cs_leave(self, EINVAL);
    }
    if (before != NULL) {
        *before = self->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    }
    self->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (self->cancel_async) {
        cs_cancel_point(self);
    }
    return cs_leave(self, 0);
}

CS_PUBLIC void pthread_testcancel(void)
{
    CS_ENTER(self, CS_REAL(pthread_testcancel)());
    cs_step(CS_test_cancel, (const void *)self->handle, self->number);
    cs_cancel_point(self);
    self->inside = false;
}
