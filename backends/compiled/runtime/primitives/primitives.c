/* What all primitives of the thread library have in common. */
#include <errno.h>

#include "sync.h"

void cs_touch(struct cs_thread *self, const void *object, enum cs_access_kind kind)
{
    cs_access(self, (uint64_t)object, 1, kind, kind == CS_ACCESS_READ, cs_caller(self));
}

_Noreturn void cs_misuse(enum cs_misuse misuse, const void *object)
{
    cs_end(CS_END_misuse, (int)misuse, object, 0, NULL);
}

void cs_renew(struct cs_object *object)
{
    object->state = CS_ALIVE;
    object->type = object->count = object->limit = object->waiters = 0;
    object->generation++;
    object->owner = NULL;
    cs_clock_clear(&object->clock);
    cs_clock_clear(&object->readers);
    object->more = NULL;
}

void cs_rename(struct cs_thread *self, enum cs_op op) { cs_entry_at(self->entry)->op = op; }

int cs_result(struct cs_thread *self, int error)
{
    bool acquired = error == 0 || error == EOWNERDEAD || error == PTHREAD_BARRIER_SERIAL_THREAD;
    uint8_t flags = acquired ? 0 : error == ETIMEDOUT ? CS_FAILED | CS_TIMED_OUT : CS_FAILED;
    cs_done(self, (uint64_t)(int64_t)error, flags);
    if (error == EBUSY || error == EAGAIN) { /* a thread that tries again and again spins */
        cs_note_read(self, cs_entry_at(self->entry)->object, (uint64_t)error);
    }
    return cs_leave(self, error);
}

int cs_result_errno(struct cs_thread *self, int error)
{
    cs_result(self, error);
    if (error == 0) {
        return 0;
    }
    errno = error;
    return -1;
}

bool cs_spurious(void)
{
    if ((cs_shared->request.flags & CS_SPURIOUS) == 0) {
        return false;
    }
    const uint16_t options[] = {0, 1};
    return cs_choose(CS_CHOICE_FAILS, options, 2) == 1;
}
