/* critical, atomic and the locks of OpenMP: mutexes. The calls are the last of their functions, so that the place that
 * is recorded is the program's. */
#include <errno.h>

#include "objects.h"

static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER, atomics = PTHREAD_MUTEX_INITIALIZER;

static bool ours(void) { return cs_self != NULL && !cs_self->inside; }

static pthread_mutex_t *new_mutex(int type)
{
    pthread_mutex_t *mutex = cs_allocate(sizeof *mutex);
    mutex->__data.__kind = type;
    return mutex;
}

/* The mutex of a lock of the program, which is too small to hold one. */
static pthread_mutex_t *mutex_of(void *lock, int type)
{
    struct cs_object *object = cs_object(CS_KIND_OTHER, lock);
    if (object->more == NULL) {
        object->more = new_mutex(type);
    }
    return object->more;
}

#define REAL_IF_NOT_OURS(name, ...) \
    if (!ours()) { \
        return CS_REAL(name)(__VA_ARGS__); \
    }

#define PAIR(begin, end, mutex) \
    CS_PUBLIC void begin(void); \
    CS_PUBLIC void begin(void) \
    { \
        REAL_IF_NOT_OURS(begin) \
        pthread_mutex_lock(mutex); \
    } \
    CS_PUBLIC void end(void); \
    CS_PUBLIC void end(void) \
    { \
        REAL_IF_NOT_OURS(end) \
        pthread_mutex_unlock(mutex); \
    }

PAIR(GOMP_critical_start, GOMP_critical_end, &critical)
PAIR(GOMP_atomic_start, GOMP_atomic_end, &atomics)

CS_PUBLIC void GOMP_critical_name_start(void **name);
CS_PUBLIC void GOMP_critical_name_start(void **name)
{
    REAL_IF_NOT_OURS(GOMP_critical_name_start, name)
    pthread_mutex_lock(mutex_of(name, PTHREAD_MUTEX_NORMAL));
}

CS_PUBLIC void GOMP_critical_name_end(void **name);
CS_PUBLIC void GOMP_critical_name_end(void **name)
{
    REAL_IF_NOT_OURS(GOMP_critical_name_end, name)
    pthread_mutex_unlock(mutex_of(name, PTHREAD_MUTEX_NORMAL));
}

static void destroy(void *lock)
{
    struct cs_object *object = cs_known_object(lock);
    if (object != NULL && object->kind == CS_KIND_OTHER) {
        object->more = NULL;
    }
}

static int tried(int error) { return error == 0; }

#define LOCKS(init, hinted, finish, set, unset, type) \
    CS_PUBLIC void init(void *lock); \
    CS_PUBLIC void init(void *lock) \
    { \
        REAL_IF_NOT_OURS(init, lock) \
        destroy(lock); \
        mutex_of(lock, type); \
    } \
    CS_PUBLIC void hinted(void *lock, int hint); \
    CS_PUBLIC void hinted(void *lock, int hint) \
    { \
        REAL_IF_NOT_OURS(hinted, lock, hint) \
        destroy(lock); \
        mutex_of(lock, type); \
    } \
    CS_PUBLIC void finish(void *lock); \
    CS_PUBLIC void finish(void *lock) \
    { \
        REAL_IF_NOT_OURS(finish, lock) \
        destroy(lock); \
    } \
    CS_PUBLIC void set(void *lock); \
    CS_PUBLIC void set(void *lock) \
    { \
        REAL_IF_NOT_OURS(set, lock) \
        pthread_mutex_lock(mutex_of(lock, type)); \
    } \
    CS_PUBLIC void unset(void *lock); \
    CS_PUBLIC void unset(void *lock) \
    { \
        REAL_IF_NOT_OURS(unset, lock) \
        pthread_mutex_unlock(mutex_of(lock, type)); \
    }

LOCKS(omp_init_lock, omp_init_lock_with_hint, omp_destroy_lock, omp_set_lock, omp_unset_lock, PTHREAD_MUTEX_NORMAL)
LOCKS(omp_init_nest_lock, omp_init_nest_lock_with_hint, omp_destroy_nest_lock, omp_set_nest_lock, omp_unset_nest_lock,
      PTHREAD_MUTEX_RECURSIVE)

CS_PUBLIC int omp_test_lock(void *lock);
CS_PUBLIC int omp_test_lock(void *lock)
{
    REAL_IF_NOT_OURS(omp_test_lock, lock)
    return tried(pthread_mutex_trylock(mutex_of(lock, PTHREAD_MUTEX_NORMAL)));
}
