/* Deferred cancellation.
 *
 * In a program that cancels threads, a call of f becomes a call of f__cs1 if there is such a function. The thread may
 * be cancelled there, before the call has done anything. The call blocks until it can go on or the thread is cancelled;
 * if both are possible, either may happen. After that the thread cannot be cancelled again. */

unsigned char __cs_cancelled[__CSEQ_THREADS];
unsigned char __cs_cancel_disabled[__CSEQ_THREADS];

int pthread_cancel(pthread_t thread) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    __CSEQ_fail_unless(!__cs_joined[thread - 1], THREAD, JOINED);
    __CSEQ_fail_unless(!__cs_detached[thread - 1] || !__cs_finished[thread - 1], THREAD, ENDED);
    __cs_cancelled[thread - 1] = 1;
    return 0;
}

int pthread_setcancelstate(int state, int *old) {
    if (state != 0 && state != 1)
        return __CSEQ_EINVAL;
    if (old != 0)
        *old = __cs_cancel_disabled[__CSEQ_thread];
    __cs_cancel_disabled[__CSEQ_thread] = state;
    return 0;
}

int pthread_setcanceltype(int type, int *old) {
    __CSEQ_unwound(type != 1, ASYNCHRONOUS);
    if (type != 0)
        return __CSEQ_EINVAL;
    if (old != 0)
        *old = 0;
    return 0;
}

void pthread_testcancel(void) {
}

int __cs_cancel_pending(void) {
    return __cs_cancelled[__CSEQ_thread] && !__cs_cancel_disabled[__CSEQ_thread];
}

int __cs_step_testcancel(void) {
    return __cs_cancel_pending();
}

void pthread_testcancel__cs1(void) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
}

int __cs_step_await_end(pthread_t thread) {
    int gone = thread < 1 || thread > __CSEQ_THREADS || !__cs_active[thread - 1] || __cs_finished[thread - 1];
    __CSEQ_may_wait(thread == __CSEQ_thread + 1 && !__cs_cancel_pending());
    __CSEQ_wait(__cs_cancel_pending() || gone || thread == __CSEQ_thread + 1);
    return __cs_cancel_pending() && (!gone || __CSEQ_nondet_bool());
}

int __cs_step_join(pthread_t thread, void **result) {
    if (thread == __CSEQ_thread + 1 && !__cs_detached[thread - 1] && !__cs_joined[thread - 1])
        return __CSEQ_EDEADLK;
    return pthread_join(thread, result);
}

int pthread_join__cs1(pthread_t thread, void **result) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    if (__cs_step_await_end(thread))
        pthread_exit((void *) -1);
    return __cs_step_join(thread, result);
}

void __cs_step_once_undo(pthread_once_t *once) {
    *once = 0;
}

int pthread_once__cs1(pthread_once_t *once, void (*routine)(void)) {
    if (__cs_step_once_begin(once)) {
        __cs_cleanup_push(__cs_step_once_undo, once);
        routine();
        __cs_cleanup_pop(0);
        __cs_step_once_end(once);
    }
    return 0;
}

int __cs_step_cond_wake_or_cancel(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    int woken = __cs_cond_is_woken(cond);
    __CSEQ_wait_for(__cs_cond_may_lock(mutex), 1ULL << (mutex->__cs_owner - 1));
    __CSEQ_wait_or_wake(woken || __cs_cancel_pending());
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, DESTROYED, "pthread_cond_wait");
    __cs_cond_lock(cond, mutex);
    return __cs_cancel_pending() && (!(woken || __CSEQ_SPURIOUS) || __CSEQ_nondet_bool());
}

int pthread_cond_wait__cs1(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    __cs_step_cond_sleep(cond, mutex);
    if (__cs_step_cond_wake_or_cancel(cond, mutex))
        pthread_exit((void *) -1);
    return 0;
}

int __cs_step_cond_cancelled(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    if (!__cs_cancel_pending() || __CSEQ_nondet_bool())
        return 0;
    __CSEQ_wait_for(__cs_cond_may_lock(mutex), 1ULL << (mutex->__cs_owner - 1));
    __cs_cond_lock(cond, mutex);
    return 1;
}

int pthread_cond_timedwait__cs1(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *time) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    if (!__cs_step_cond_timedsleep(cond, mutex, time))
        return __CSEQ_EINVAL;
    if (__cs_step_cond_cancelled(cond, mutex))
        pthread_exit((void *) -1);
    return __cs_step_cond_timedwake(cond, mutex);
}

int pthread_cond_clockwait__cs1(pthread_cond_t *cond, pthread_mutex_t *mutex, int clock, const struct timespec *time) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    if (!__cs_step_cond_clocksleep(cond, mutex, clock, time))
        return __CSEQ_EINVAL;
    if (__cs_step_cond_cancelled(cond, mutex))
        pthread_exit((void *) -1);
    return __cs_step_cond_clockwake(cond, mutex);
}

int __cs_step_sem_take_or_cancel(sem_t *semaphore) {
    int ready = (semaphore->__cs_state & 1) == 0 || semaphore->__cs_value > 0;
    __CSEQ_wait(ready || __cs_cancel_pending());
    if (__cs_cancel_pending() && (!ready || __CSEQ_nondet_bool()))
        return 1;
    sem_wait(semaphore);
    return 0;
}

int sem_wait__cs1(sem_t *semaphore) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    if (__cs_step_sem_take_or_cancel(semaphore))
        pthread_exit((void *) -1);
    return 0;
}

int sem_timedwait__cs1(sem_t *semaphore, const struct timespec *time) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    return sem_timedwait(semaphore, time);
}

int sem_clockwait__cs1(sem_t *semaphore, int clock, const struct timespec *time) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    return sem_clockwait(semaphore, clock, time);
}

int pthread_timedjoin_np__cs1(pthread_t thread, void **result, const struct timespec *time) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    return pthread_timedjoin_np(thread, result, time);
}

unsigned int sleep__cs1(unsigned int seconds) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    return sleep(seconds);
}

int usleep__cs1(unsigned int microseconds) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    return usleep(microseconds);
}

int nanosleep__cs1(const struct timespec *time, struct timespec *rest) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    return nanosleep(time, rest);
}

int clock_nanosleep__cs1(int clock, int flags, const struct timespec *time, struct timespec *rest) {
    if (__cs_step_testcancel())
        pthread_exit((void *) -1);
    return clock_nanosleep(clock, flags, time, rest);
}

void __cs_open_wait(void) {
    __CSEQ_may_hang(1);
}

void __cs_open_wait__cs1(void) {
    __CSEQ_may_wait(!__cs_cancel_pending());
}

int pause(void) {
    __CSEQ_wait_outside(0);
    return -1;
}

void __cs_step_pause(void) {
    __CSEQ_wait_outside(__cs_cancel_pending());
}

int pause__cs1(void) {
    __cs_step_pause();
    pthread_exit((void *) -1);
    return -1;
}
