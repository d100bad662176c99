/* The initialisation of static local variables in C++. The first byte of a guard says that it is done: compilers read
 * it before they call us. The second byte is ours: a thread is at it.
 *
 * Itanium C++ ABI, section 3.3.3.
 */
#include "sync.h"

/* They are in the library of C++, which a program in C does not have. */
int __cxa_guard_acquire(uint8_t *guard);
void __cxa_guard_release(uint8_t *guard);
void __cxa_guard_abort(uint8_t *guard);

static bool is_idle(struct cs_thread *self, void *guard)
{
    (void)self;
    return ((const uint8_t *)guard)[1] == 0;
}

/* What is known of a guard. Loads of its first byte acquire its clock. */
static struct cs_object *object_of(uint8_t *guard) { return cs_object(CS_KIND_GUARD, guard); }

CS_PUBLIC int __cxa_guard_acquire(uint8_t *guard)
{
    CS_ENTER(self, CS_REAL(__cxa_guard_acquire)(guard));
    cs_block(CS_guard_begin, guard, 0, is_idle, guard, CS_NEVER);
    struct cs_object *object = object_of(guard);
    cs_acquire(self, &object->clock);
    if (guard[0] != 0) {
        cs_rename(self, CS_guard_pass);
        return cs_leave(self, 0);
    }
    guard[1] = 1;
    object->owner = self;
    object->since = self->entry;
    return cs_leave(self, 1);
}

CS_PUBLIC void __cxa_guard_release(uint8_t *guard)
{
    CS_ENTER(self, CS_REAL(__cxa_guard_release)(guard));
    cs_step(CS_guard_finish, guard, 0);
    struct cs_object *object = object_of(guard);
    object->owner = NULL;
    cs_publish(self, guard, 1);
    guard[1] = 0;
    guard[0] = 1;
    cs_release(self, &object->clock);
    self->inside = false;
}

CS_PUBLIC void __cxa_guard_abort(uint8_t *guard)
{
    CS_ENTER(self, CS_REAL(__cxa_guard_abort)(guard));
    cs_step(CS_guard_abort, guard, 0);
    struct cs_object *object = object_of(guard);
    object->owner = NULL;
    guard[1] = 0;
    cs_release(self, &object->clock);
    self->inside = false;
}
