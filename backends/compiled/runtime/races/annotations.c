/* What programs call that know of ThreadSanitizer: with clang they see that its hooks are used. Orders that they state
 * are taken over; the rest says nothing that the runtime needs, because it sees the operations themselves.
 */
#include "objects.h"
#include "shadow.h"

static struct cs_thread *running(void)
{
    struct cs_thread *self = cs_self;
    return self != NULL && !self->inside ? self : NULL;
}

/* What is stated about an address is kept apart from the object there: it may be a mutex. */
static struct cs_object *annotated(const volatile void *place)
{
    return cs_object(CS_KIND_OTHER, (const void *)((uint64_t)place | CS_ANNOTATED));
}

static void take(const volatile void *place)
{
    struct cs_thread *self = running();
    if (self != NULL) {
        cs_acquire(self, &annotated(place)->clock);
    }
}

static void give(const volatile void *place)
{
    struct cs_thread *self = running();
    if (self != NULL) {
        cs_release(self, &annotated(place)->clock);
    }
}

#define DEFINE(name, parameters, body) \
    CS_PUBLIC void name parameters; \
    CS_PUBLIC void name parameters { body; }

DEFINE(__tsan_acquire, (void *place), take(place))
DEFINE(__tsan_release, (void *place), give(place))
DEFINE(AnnotateHappensAfter, (const char *file, int line, const volatile void *place), (void)file; (void)line;
       take(place))
DEFINE(AnnotateHappensBefore, (const char *file, int line, const volatile void *place), (void)file; (void)line;
       give(place))
DEFINE(AnnotateNewMemory, (const char *file, int line, const volatile void *place, size_t size), (void)file; (void)line;
       if (running() != NULL) cs_shadow_clear((uint64_t)place, size))

/* Accesses of the thread that are no races by its own word. */
static void ignore(int change)
{
    struct cs_thread *self = running();
    if (self != NULL) {
        self->ignored += (uint32_t)change;
    }
}

DEFINE(__tsan_ignore_thread_begin, (void), ignore(1))
DEFINE(__tsan_ignore_thread_end, (void), ignore(-1))
DEFINE(AnnotateIgnoreReadsBegin, (const char *file, int line), (void)file; (void)line; ignore(1))
DEFINE(AnnotateIgnoreReadsEnd, (const char *file, int line), (void)file; (void)line; ignore(-1))
DEFINE(AnnotateIgnoreWritesBegin, (const char *file, int line), (void)file; (void)line; ignore(1))
DEFINE(AnnotateIgnoreWritesEnd, (const char *file, int line), (void)file; (void)line; ignore(-1))
DEFINE(AnnotateBenignRace, (const char *file, int line, const volatile void *place, const char *text), (void)file;
       (void)line; (void)text; cs_tolerate((uint64_t)place, 1))
DEFINE(AnnotateBenignRaceSized, (const char *file, int line, const volatile void *place, size_t size, const char *text),
       (void)file;
       (void)line; (void)text; cs_tolerate((uint64_t)place, size))

DEFINE(__tsan_mutex_create, (void *mutex, unsigned flags), (void)mutex; (void)flags)
DEFINE(__tsan_mutex_destroy, (void *mutex, unsigned flags), (void)mutex; (void)flags)
DEFINE(__tsan_mutex_pre_lock, (void *mutex, unsigned flags), (void)mutex; (void)flags)
DEFINE(__tsan_mutex_post_lock, (void *mutex, unsigned flags, int depth), (void)flags; (void)depth; take(mutex))
DEFINE(__tsan_mutex_post_unlock, (void *mutex, unsigned flags), (void)mutex; (void)flags)
DEFINE(__tsan_mutex_pre_signal, (void *mutex, unsigned flags), (void)mutex; (void)flags)
DEFINE(__tsan_mutex_post_signal, (void *mutex, unsigned flags), (void)mutex; (void)flags)
DEFINE(__tsan_mutex_pre_divert, (void *mutex, unsigned flags), (void)mutex; (void)flags)
DEFINE(__tsan_mutex_post_divert, (void *mutex, unsigned flags), (void)mutex; (void)flags)

CS_PUBLIC int __tsan_mutex_pre_unlock(void *mutex, unsigned flags);
CS_PUBLIC int __tsan_mutex_pre_unlock(void *mutex, unsigned flags)
{
    (void)flags;
    give(mutex);
    return 0;
}

/* Archer, which says through these what OpenMP of clang orders, asks whether there is anybody to listen: its own
 * definition, which this one overrides, means no. */
CS_PUBLIC int RunningOnValgrind(void);
CS_PUBLIC int RunningOnValgrind(void) { return 0; }
