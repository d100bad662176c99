/* Who uses an exception is counted by libstdc++, by atomic operations that have no hooks: the thread that ends its life
 * would seem to race with those that have read it. So leaving a handler and dropping a std::exception_ptr are made to
 * happen one after the other, for each exception.
 *
 * The definitions are weak: where libstdc++ is linked statically, its own ones are taken.
 */
#include "objects.h"

struct pointer { /* std::exception_ptr */
    void *exception;
};

#define RELEASE "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"

CS_PUBLIC void cs_exception_release(struct pointer *pointer) __asm__(RELEASE) __attribute__((weak));
CS_PUBLIC void __cxa_end_catch(void) __attribute__((weak));
extern void current_exception(struct pointer *result) __asm__("_ZSt17current_exceptionv") __attribute__((weak));

typedef void release_function(struct pointer *pointer);

static release_function *real_release(void)
{
    static release_function *found;
    if (found == NULL) {
        found = (release_function *)cs_real(RELEASE);
    }
    return found;
}

static void order(struct cs_thread *self, const void *exception)
{
    struct cs_object *object = cs_object(CS_KIND_OTHER, exception);
    cs_acquire(self, &object->clock);
    cs_release(self, &object->clock);
}

void cs_exception_release(struct pointer *pointer)
{
    struct cs_thread *self = cs_self;
    if (self != NULL && !self->inside && pointer->exception != NULL) {
        order(self, pointer->exception);
    }
    real_release()(pointer); /* it may call the program's destructors */
}

void __cxa_end_catch(void)
{
    struct cs_thread *self = cs_self;
    if (self != NULL && !self->inside && current_exception != NULL) {
        struct pointer current = {.exception = NULL};
        current_exception(&current);
        if (current.exception != NULL) {
            order(self, current.exception);
            real_release()(&current); /* the handler has its own share */
        }
    }
    CS_REAL(__cxa_end_catch)();
}
