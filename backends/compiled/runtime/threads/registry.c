/* The threads of the program; the place of the call of a library function that is running; the end by cancellation. */
#include "thread.h"

__thread struct cs_thread *cs_self = NULL;
struct cs_thread *cs_threads[CS_MOST_THREADS];
uint32_t cs_thread_count;

void cs_called_from(struct cs_thread *self, void *return_address)
{
    cs_settle();
    self->caller = (uint64_t)return_address;
}

uint64_t cs_caller(const struct cs_thread *self) { return self->caller; }

struct cs_thread *cs_latest_of(pthread_t handle)
{
    for (uint32_t n = cs_thread_count; n-- > 0;) {
        if (cs_threads[n]->handle == handle) {
            return cs_threads[n];
        }
    }
    return NULL;
}

struct cs_thread *cs_thread_of(pthread_t handle)
{
    struct cs_thread *thread = cs_latest_of(handle);
    return thread != NULL && thread->life != CS_JOINED ? thread : NULL;
}

bool cs_must_cancel(const struct cs_thread *self) { return self->cancelled && !self->cancel_disabled; }

void cs_cancel_point(struct cs_thread *self)
{
    if (!cs_must_cancel(self)) {
        return;
    }
    self->cancel_disabled = true;
    self->result = PTHREAD_CANCELED;
    self->inside = false;
    CS_REAL(pthread_exit)(PTHREAD_CANCELED);
    __builtin_unreachable();
}
