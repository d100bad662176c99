/* The locks of FILEs, which only programs that ask for them notice: no other thread runs inside a function of stdio.
 * The real lock is not taken, for a thread that writes without asking would wait for it with the baton. */
#include <stdio.h>

#include "objects.h"
#include "scheduler.h"

static bool is_free(struct cs_thread *self, void *subject)
{
    const struct cs_object *file = subject;
    return file->owner == NULL || file->owner == self;
}

static void take(struct cs_thread *self, struct cs_object *object)
{
    object->owner = self;
    object->count++;
    object->since = self->entry;
    cs_acquire(self, &object->clock);
}

CS_PUBLIC void flockfile(FILE *file)
{
    CS_ENTER(self, CS_REAL(flockfile)(file));
    struct cs_object *object = cs_object(CS_KIND_FILE, file);
    cs_block(CS_file_lock, file, 0, is_free, object, CS_NEVER);
    take(self, object);
    self->inside = false;
}

CS_PUBLIC int ftrylockfile(FILE *file)
{
    CS_ENTER(self, CS_REAL(ftrylockfile)(file));
    struct cs_object *object = cs_object(CS_KIND_FILE, file);
    cs_step(CS_file_lock, file, 0);
    if (!is_free(self, object)) {
        cs_done(self, 1, CS_FAILED);
        return cs_leave(self, 1);
    }
    take(self, object);
    return cs_leave(self, 0);
}

CS_PUBLIC void funlockfile(FILE *file)
{
    CS_ENTER(self, CS_REAL(funlockfile)(file));
    struct cs_object *object = cs_object(CS_KIND_FILE, file);
    cs_step(CS_file_unlock, file, 0);
    if (object->owner == self && --object->count == 0) {
        object->owner = NULL;
        cs_release_only(self, &object->clock);
    }
    self->inside = false;
}
