/* Condition variables of POSIX and of C11.
 *
 * Bit k of `waiting` says that thread k waits and has not been woken yet; all waiting threads use the same mutex.
 * A wait is two steps, between which other threads run: the first releases the mutex and goes to sleep, the second runs
 * when the thread has been woken and the mutex is free. A signal wakes any one of the threads that wait at that moment.
 *
 * A wait with a deadline may end at any moment, and so may every wait if __CSEQ_SPURIOUS holds. A thread whose deadline
 * passes may consume a signal (POSIX.1-2017, pthread_cond_timedwait). If a recursive mutex is locked more than once, a
 * wait unlocks it only once. The most frequent functions call no others, because calls are expensive for engines.
 *
 * The variants __cs5 of the two steps are for loops in which a thread changes nothing between waking up and going back
 * to sleep (modules/symbolic/encode/unroller/wait_loops.py). An execution in which it does that after it has woken up without
 * a signal, and none has been sent since, is dropped. Bit k of `idle` says that of thread k, once it has woken up. */

int pthread_condattr_init(pthread_condattr_t *attr) {
    attr->__cs_pshared = 0;
    attr->__cs_clock = 0;
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attr) {
    return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attr, int pshared) {
    if (pshared != 0 && pshared != 1)
        return __CSEQ_EINVAL;
    attr->__cs_pshared = pshared;
    return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *attr, int *pshared) {
    *pshared = attr->__cs_pshared;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attr, int clock) {
    if (clock != 0 && clock != 1)
        return __CSEQ_EINVAL;
    attr->__cs_clock = clock;
    return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *attr, int *clock) {
    *clock = attr->__cs_clock;
    return 0;
}

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr) {
    __CSEQ_fail_unless(__cs_watched != cond || cond->__cs_state != 1, COND, INITIALISED);
    __cs_watch(cond);
    cond->__cs_state = 1;
    cond->__cs_waiting = 0;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED_TWICE);
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED);
    __CSEQ_fail_unless(cond->__cs_waiting == 0, COND, IN_USE);
    cond->__cs_state = 2;
    return 0;
}

void __cs_cond_sleep(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    pthread_mutex_unlock(mutex);
    cond->__cs_mutex = mutex;
    cond->__cs_waiting |= 1ULL << __CSEQ_thread;
}

int __cs_cond_is_woken(const pthread_cond_t *cond) {
    return (cond->__cs_waiting & 1ULL << __CSEQ_thread) == 0;
}

int __cs_cond_may_lock(const pthread_mutex_t *mutex) {
    return mutex->__cs_owner == 0 || (mutex->__cs_type == 1 && mutex->__cs_owner == __CSEQ_thread + 1);
}

void __cs_cond_lock(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    cond->__cs_waiting &= ~(1ULL << __CSEQ_thread);
    if (mutex->__cs_type == 1 && mutex->__cs_owner != 0)
        mutex->__cs_count++;
    mutex->__cs_owner = __CSEQ_thread + 1;
}

int __cs_cond_timedlock(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    int in_time = (__CSEQ_SPURIOUS || __cs_cond_is_woken(cond)) && __CSEQ_nondet_bool();
    __cs_cond_lock(cond, mutex);
    return in_time ? 0 : __CSEQ_ETIMEDOUT;
}

void __cs_step_cond_sleep(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED, "pthread_cond_wait");
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED, "pthread_cond_wait");
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, NOT_INITIALISED, "pthread_cond_wait");
    __CSEQ_fail_unless(mutex->__cs_owner == __CSEQ_thread + 1, MUTEX, WAITS_UNLOCKED, "pthread_cond_wait");
    __CSEQ_fail_unless(cond->__cs_waiting == 0 || cond->__cs_mutex == mutex, MUTEX, OTHER_MUTEX, "pthread_cond_wait");
    if (mutex->__cs_count > 0)
        mutex->__cs_count--;
    else
        mutex->__cs_owner = 0;
    cond->__cs_mutex = mutex;
    cond->__cs_waiting |= 1ULL << __CSEQ_thread;
}

void __cs_step_cond_wake(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __CSEQ_wait_for(mutex->__cs_owner == 0 || (mutex->__cs_type == 1 && mutex->__cs_owner == __CSEQ_thread + 1), 1ULL << (mutex->__cs_owner - 1));
    __CSEQ_wait_or_wake((cond->__cs_waiting & 1ULL << __CSEQ_thread) == 0);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, DESTROYED, "pthread_cond_wait");
    if (__CSEQ_SPURIOUS)
        cond->__cs_waiting &= ~(1ULL << __CSEQ_thread);
    if (mutex->__cs_type == 1 && mutex->__cs_owner != 0)
        mutex->__cs_count++;
    mutex->__cs_owner = __CSEQ_thread + 1;
}

void __cs_step_cond_sleep__cs5(pthread_cond_t *cond, pthread_mutex_t *mutex, int moved) {
    __CSEQ_assume(moved || (cond->__cs_idle & 1ULL << __CSEQ_thread) == 0);
    __cs_step_cond_sleep(cond, mutex);
}

void __cs_step_cond_wake__cs5(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    int woken = (cond->__cs_waiting & 1ULL << __CSEQ_thread) == 0;
    __cs_step_cond_wake(cond, mutex);
    cond->__cs_idle = woken ? cond->__cs_idle & ~(1ULL << __CSEQ_thread) : cond->__cs_idle | 1ULL << __CSEQ_thread;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __cs_step_cond_sleep(cond, mutex);
    __cs_step_cond_wake(cond, mutex);
    return 0;
}

int __cs_step_cond_timedsleep(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *time) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED, "pthread_cond_timedwait");
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED, "pthread_cond_timedwait");
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, NOT_INITIALISED, "pthread_cond_timedwait");
    __CSEQ_fail_unless(mutex->__cs_owner == __CSEQ_thread + 1, MUTEX, WAITS_UNLOCKED, "pthread_cond_timedwait");
    __CSEQ_fail_unless(cond->__cs_waiting == 0 || cond->__cs_mutex == mutex, MUTEX, OTHER_MUTEX, "pthread_cond_timedwait");
    if (!__cs_is_time(time))
        return 0;
    __cs_cond_sleep(cond, mutex);
    return 1;
}

int __cs_step_cond_timedwake(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __CSEQ_wait_for(__cs_cond_may_lock(mutex), 1ULL << (mutex->__cs_owner - 1));
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, DESTROYED, "pthread_cond_timedwait");
    return __cs_cond_timedlock(cond, mutex);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *time) {
    if (__cs_step_cond_timedsleep(cond, mutex, time))
        return __cs_step_cond_timedwake(cond, mutex);
    return __CSEQ_EINVAL;
}

int __cs_step_cond_clocksleep(pthread_cond_t *cond, pthread_mutex_t *mutex, int clock, const struct timespec *time) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED, "pthread_cond_clockwait");
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED, "pthread_cond_clockwait");
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, NOT_INITIALISED, "pthread_cond_clockwait");
    __CSEQ_fail_unless(mutex->__cs_owner == __CSEQ_thread + 1, MUTEX, WAITS_UNLOCKED, "pthread_cond_clockwait");
    __CSEQ_fail_unless(cond->__cs_waiting == 0 || cond->__cs_mutex == mutex, MUTEX, OTHER_MUTEX, "pthread_cond_clockwait");
    if ((clock != 0 && clock != 1) || !__cs_is_time(time))
        return 0;
    __cs_cond_sleep(cond, mutex);
    return 1;
}

int __cs_step_cond_clockwake(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __CSEQ_wait_for(__cs_cond_may_lock(mutex), 1ULL << (mutex->__cs_owner - 1));
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, DESTROYED, "pthread_cond_clockwait");
    return __cs_cond_timedlock(cond, mutex);
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, int clock, const struct timespec *time) {
    if (__cs_step_cond_clocksleep(cond, mutex, clock, time))
        return __cs_step_cond_clockwake(cond, mutex);
    return __CSEQ_EINVAL;
}

int pthread_cond_signal(pthread_cond_t *cond) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED);
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED);
    if (cond->__cs_waiting != 0) {
        __cs_threads_t chosen = __CSEQ_nondet_ulonglong();
        __CSEQ_assume((chosen & cond->__cs_waiting) != 0 && (chosen & (chosen - 1)) == 0);
        cond->__cs_waiting &= ~chosen;
    }
    cond->__cs_idle = 0;
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED);
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED);
    cond->__cs_waiting = 0;
    cond->__cs_idle = 0;
    return 0;
}

int cnd_init(cnd_t *cond) {
    cond->__cs_state = 1;
    cond->__cs_waiting = 0;
    return 0;
}

void cnd_destroy(cnd_t *cond) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED_TWICE);
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED);
    __CSEQ_fail_unless(cond->__cs_waiting == 0, COND, IN_USE);
    cond->__cs_state = 2;
}

void __cs_step_cnd_sleep(cnd_t *cond, mtx_t *mutex) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED, "cnd_wait");
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED, "cnd_wait");
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, NOT_INITIALISED, "cnd_wait");
    __CSEQ_fail_unless(mutex->__cs_owner == __CSEQ_thread + 1, MUTEX, WAITS_UNLOCKED, "cnd_wait");
    __CSEQ_fail_unless(cond->__cs_waiting == 0 || cond->__cs_mutex == mutex, MUTEX, OTHER_MUTEX, "cnd_wait");
    __cs_cond_sleep(cond, mutex);
}

void __cs_step_cnd_wake(cnd_t *cond, mtx_t *mutex) {
    __CSEQ_wait_for(__cs_cond_may_lock(mutex), 1ULL << (mutex->__cs_owner - 1));
    __CSEQ_wait_or_wake(__cs_cond_is_woken(cond));
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, DESTROYED, "cnd_wait");
    __cs_cond_lock(cond, mutex);
}

void __cs_step_cnd_sleep__cs5(cnd_t *cond, mtx_t *mutex, int moved) {
    __CSEQ_assume(moved || (cond->__cs_idle & 1ULL << __CSEQ_thread) == 0);
    __cs_step_cnd_sleep(cond, mutex);
}

void __cs_step_cnd_wake__cs5(cnd_t *cond, mtx_t *mutex) {
    int woken = (cond->__cs_waiting & 1ULL << __CSEQ_thread) == 0;
    __cs_step_cnd_wake(cond, mutex);
    cond->__cs_idle = woken ? cond->__cs_idle & ~(1ULL << __CSEQ_thread) : cond->__cs_idle | 1ULL << __CSEQ_thread;
}

int cnd_wait(cnd_t *cond, mtx_t *mutex) {
    __cs_step_cnd_sleep(cond, mutex);
    __cs_step_cnd_wake(cond, mutex);
    return 0;
}

int __cs_step_cnd_timedsleep(cnd_t *cond, mtx_t *mutex, const struct timespec *time) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED, "cnd_timedwait");
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED, "cnd_timedwait");
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, NOT_INITIALISED, "cnd_timedwait");
    __CSEQ_fail_unless(mutex->__cs_owner == __CSEQ_thread + 1, MUTEX, WAITS_UNLOCKED, "cnd_timedwait");
    __CSEQ_fail_unless(cond->__cs_waiting == 0 || cond->__cs_mutex == mutex, MUTEX, OTHER_MUTEX, "cnd_timedwait");
    if (!__cs_is_time(time))
        return 0;
    __cs_cond_sleep(cond, mutex);
    return 1;
}

int __cs_step_cnd_timedwake(cnd_t *cond, mtx_t *mutex) {
    __CSEQ_wait_for(__cs_cond_may_lock(mutex), 1ULL << (mutex->__cs_owner - 1));
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, DESTROYED, "cnd_timedwait");
    return __cs_cond_timedlock(cond, mutex) == 0 ? 0 : __CSEQ_thrd_timedout;
}

int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *time) {
    if (__cs_step_cnd_timedsleep(cond, mutex, time))
        return __cs_step_cnd_timedwake(cond, mutex);
    return __CSEQ_thrd_error;
}

int cnd_signal(cnd_t *cond) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED);
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED);
    return pthread_cond_signal(cond);
}

int cnd_broadcast(cnd_t *cond) {
    __CSEQ_fail_unless(cond->__cs_state != 2, COND, DESTROYED);
    __CSEQ_fail_unless((cond->__cs_state | __CSEQ_ZEROED) == 1, COND, UNINITIALISED);
    cond->__cs_waiting = 0;
    cond->__cs_idle = 0;
    return 0;
}
