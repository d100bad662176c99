/* The threads of C11, on those of POSIX as in glibc. */
#include <errno.h>
#include <threads.h>

#include "sync.h"

/* What a thread of C11 starts with. */
struct started {
    thrd_start_t start;
    void *argument;
};

static int result_of(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

static void *begin(void *argument)
{
    const struct started *started = argument;
    return (void *)(intptr_t)started->start(started->argument);
}

CS_PUBLIC int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    CS_ENTER(self, CS_REAL(thrd_create)(thread, start, argument));
    struct started *started = cs_allocate(sizeof *started);
    *started = (struct started){.start = start, .argument = argument};
    return result_of(cs_create(self, thread, NULL, begin, started, (void *)start));
}

CS_PUBLIC int thrd_join(thrd_t thread, int *result)
{
    CS_ENTER(self, CS_REAL(thrd_join)(thread, result));
    void *value = NULL;
    int error = cs_join(self, thread, &value, CS_join, CS_NEVER);
    if (result != NULL) {
        *result = (int)(intptr_t)value;
    }
    return result_of(error);
}

CS_PUBLIC int thrd_detach(thrd_t thread)
{
    CS_ENTER(self, CS_REAL(thrd_detach)(thread));
    return result_of(cs_detach(self, thread));
}

CS_PUBLIC _Noreturn void thrd_exit(int result)
{
    if (cs_self != NULL) {
        cs_self->result = (void *)(intptr_t)result;
    }
    CS_REAL(pthread_exit)((void *)(intptr_t)result);
    __builtin_unreachable();
}

CS_PUBLIC int thrd_sleep(const struct timespec *time, struct timespec *rest)
{
    CS_ENTER(self, CS_REAL(thrd_sleep)(time, rest));
    cs_cancel_point(self);
    if (!cs_valid_time(time) || time->tv_sec < 0) {
        return cs_leave(self, -2);
    }
    cs_sleep(self, cs_now + (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec);
    return cs_leave(self, 0);
}

CS_PUBLIC void thrd_yield(void)
{
    CS_ENTER(self, CS_REAL(thrd_yield)());
    cs_yield(self);
    self->inside = false;
}

CS_PUBLIC void call_once(once_flag *flag, void (*routine)(void))
{
    CS_ENTER(self, CS_REAL(call_once)(flag, routine));
    cs_once(self, &flag->__data, routine);
}

static pthread_mutex_t *mutex_of(mtx_t *mutex) { return (pthread_mutex_t *)(void *)mutex; }

static pthread_cond_t *condition_of(cnd_t *condition) { return (pthread_cond_t *)(void *)condition; }

CS_PUBLIC int mtx_init(mtx_t *mutex, int type)
{
    CS_ENTER(self, CS_REAL(mtx_init)(mutex, type));
    cs_step(CS_mutex_init, mutex, 0);
    cs_touch(self, mutex, CS_ACCESS_WRITE);
    int result = CS_REAL(mtx_init)(mutex, type);
    if (result == thrd_success) {
        cs_renew(cs_object(CS_KIND_MUTEX, mutex));
    }
    return cs_leave(self, result);
}

CS_PUBLIC void mtx_destroy(mtx_t *mutex)
{
    CS_ENTER(self, CS_REAL(mtx_destroy)(mutex));
    cs_mutex_destroy(self, mutex_of(mutex));
}

CS_PUBLIC int mtx_lock(mtx_t *mutex)
{
    CS_ENTER(self, CS_REAL(mtx_lock)(mutex));
    return result_of(cs_mutex_lock(self, mutex_of(mutex)));
}

CS_PUBLIC int mtx_trylock(mtx_t *mutex)
{
    CS_ENTER(self, CS_REAL(mtx_trylock)(mutex));
    return result_of(cs_mutex_try(self, mutex_of(mutex), true));
}

CS_PUBLIC int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict time)
{
    CS_ENTER(self, CS_REAL(mtx_timedlock)(mutex, time));
    return result_of(cs_mutex_timed(self, mutex_of(mutex), CLOCK_REALTIME, time));
}

CS_PUBLIC int mtx_unlock(mtx_t *mutex)
{
    CS_ENTER(self, CS_REAL(mtx_unlock)(mutex));
    return result_of(cs_mutex_unlock(self, mutex_of(mutex)));
}

CS_PUBLIC int cnd_init(cnd_t *condition)
{
    CS_ENTER(self, CS_REAL(cnd_init)(condition));
    return result_of(cs_condition_init(self, condition_of(condition), NULL));
}

CS_PUBLIC void cnd_destroy(cnd_t *condition)
{
    CS_ENTER(self, CS_REAL(cnd_destroy)(condition));
    cs_condition_destroy(self, condition_of(condition));
}

CS_PUBLIC int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    CS_ENTER(self, CS_REAL(cnd_wait)(condition, mutex));
    return result_of(cs_condition_wait(self, condition_of(condition), mutex_of(mutex)));
}

CS_PUBLIC int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict time)
{
    CS_ENTER(self, CS_REAL(cnd_timedwait)(condition, mutex, time));
    return result_of(cs_condition_timed(self, condition_of(condition), mutex_of(mutex), CLOCK_REALTIME, time));
}

CS_PUBLIC int cnd_signal(cnd_t *condition)
{
    CS_ENTER(self, CS_REAL(cnd_signal)(condition));
    return result_of(cs_condition_signal(self, condition_of(condition)));
}

CS_PUBLIC int cnd_broadcast(cnd_t *condition)
{
    CS_ENTER(self, CS_REAL(cnd_broadcast)(condition));
    return result_of(cs_condition_broadcast(self, condition_of(condition)));
}
