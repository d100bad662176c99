/* Mutexes of the types normal, recursive and errorcheck (POSIX.1-2017, pthread_mutex_lock), and mutexes of C11.
 *
 * State: 1 is ready, 2 destroyed, anything else was never initialised. The owner is a thread's number plus one,
 * 0 when free; the count is how often it has locked a recursive mutex again. What POSIX or C leave undefined is
 * reported; what they define as an error is returned. A deadline passes only while the mutex is not free.
 * If a function checks the state itself, the checks of the functions that it calls never fail. The protocol is
 * 0 for none, 255 for inheritance, and otherwise the ceiling. */

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
    attr->__cs_type = 0;
    attr->__cs_pshared = 0;
    attr->__cs_protocol = 0;
    attr->__cs_ceiling = 1;
    attr->__cs_robust = 0;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) {
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type) {
    if (type < 0 || type > 3)
        return __CSEQ_EINVAL;
    attr->__cs_type = type;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *type) {
    *type = attr->__cs_type;
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int pshared) {
    if (pshared != 0 && pshared != 1)
        return __CSEQ_EINVAL;
    attr->__cs_pshared = pshared;
    return 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *pshared) {
    *pshared = attr->__cs_pshared;
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol) {
    if (protocol < 0 || protocol > 2)
        return __CSEQ_EINVAL;
    attr->__cs_protocol = protocol;
    return 0;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *protocol) {
    *protocol = attr->__cs_protocol;
    return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) {
    if (ceiling < 1 || ceiling > 99)
        return __CSEQ_EINVAL;
    attr->__cs_ceiling = ceiling;
    return 0;
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attr, int *ceiling) {
    *ceiling = attr->__cs_ceiling;
    return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust) {
    if (robust != 0 && robust != 1)
        return __CSEQ_EINVAL;
    attr->__cs_robust = robust;
    return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robust) {
    *robust = attr->__cs_robust;
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
    __CSEQ_fail_unless(__cs_watched != mutex || mutex->__cs_state != 1, MUTEX, INITIALISED);
    __cs_watch(mutex);
    mutex->__cs_state = 1;
    mutex->__cs_type = attr != 0 && attr->__cs_type < 3 ? attr->__cs_type : 0;
    mutex->__cs_owner = 0;
    mutex->__cs_count = 0;
    mutex->__cs_protocol = attr == 0 || attr->__cs_protocol == 0 ? 0 : attr->__cs_protocol == 1 ? 255 : attr->__cs_ceiling;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED_TWICE);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    __CSEQ_fail_unless(mutex->__cs_owner == 0, MUTEX, IN_USE);
    mutex->__cs_state = 2;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (mutex->__cs_type != 0 && mutex->__cs_owner == __CSEQ_thread + 1) {
        if (mutex->__cs_type == 2)
            return __CSEQ_EDEADLK;
        mutex->__cs_count++;
        return 0;
    }
    __CSEQ_wait_for(mutex->__cs_owner == 0, 1ULL << (mutex->__cs_owner - 1));
    mutex->__cs_owner = __CSEQ_thread + 1;
    return 0;
}

/* What a thread gets that tries to lock a mutex that is held. POSIX has EBUSY alone; in glibc, it is EDEADLK for a mutex
 * that checks for errors, that the thread holds itself, and that has a protocol or is robust. */
int __cs_busy(const pthread_mutex_t *mutex, int special) {
    if (mutex->__cs_type == 2 && mutex->__cs_owner == __CSEQ_thread + 1 && special != 0 && __CSEQ_nondet_bool())
        return __CSEQ_EDEADLK;
    return __CSEQ_EBUSY;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (mutex->__cs_type == 1 && mutex->__cs_owner == __CSEQ_thread + 1) {
        mutex->__cs_count++;
        return 0;
    }
    if (mutex->__cs_owner != 0)
        return __cs_busy(mutex, mutex->__cs_protocol);
    mutex->__cs_owner = __CSEQ_thread + 1;
    return 0;
}

int __cs_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    int mine = mutex->__cs_type != 0 && mutex->__cs_owner == __CSEQ_thread + 1;
    int error = __cs_deadline(mine || mutex->__cs_owner == 0, time);
    return error != 0 ? error : pthread_mutex_lock(mutex);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    return __cs_mutex_timedlock(mutex, time);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, int clock, const struct timespec *time) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (clock != 0 && clock != 1)
        return __CSEQ_EINVAL;
    return __cs_mutex_timedlock(mutex, time);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (mutex->__cs_owner != __CSEQ_thread + 1) {
        __CSEQ_fail_unless(mutex->__cs_type != 0, MUTEX, NOT_HELD);
        return __CSEQ_EPERM;
    }
    if (mutex->__cs_count > 0)
        mutex->__cs_count--;
    else
        mutex->__cs_owner = 0;
    return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (mutex->__cs_protocol == 0 || mutex->__cs_protocol == 255 || ceiling < 1 || ceiling > 99)
        return __CSEQ_EINVAL;
    if (mutex->__cs_type != 0 && mutex->__cs_owner == __CSEQ_thread + 1) {
        if (mutex->__cs_type == 2)
            return __CSEQ_EDEADLK;
    } else
        __CSEQ_wait_for(mutex->__cs_owner == 0, 1ULL << (mutex->__cs_owner - 1));
    if (old != 0)
        *old = mutex->__cs_protocol;
    mutex->__cs_protocol = ceiling;
    return 0;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (mutex->__cs_protocol == 0 || mutex->__cs_protocol == 255)
        return __CSEQ_EINVAL;
    *ceiling = mutex->__cs_protocol;
    return 0;
}

int mtx_init(mtx_t *mutex, int type) {
    if (type < 0 || type > 3)
        return __CSEQ_thrd_error;
    mutex->__cs_state = 1;
    mutex->__cs_type = type & 1;
    mutex->__cs_timed = type >> 1;
    mutex->__cs_owner = 0;
    mutex->__cs_count = 0;
    return 0;
}

void mtx_destroy(mtx_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED_TWICE);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    mutex->__cs_state = 2;
}

int mtx_lock(mtx_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    __CSEQ_may_hang(mutex->__cs_type != 1 && mutex->__cs_owner == __CSEQ_thread + 1);
    __CSEQ_fail_unless(mutex->__cs_type == 1 || mutex->__cs_owner != __CSEQ_thread + 1, MUTEX, HELD);
    return pthread_mutex_lock(mutex);
}

int mtx_trylock(mtx_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (__CSEQ_SPURIOUS && __cs_cond_may_lock(mutex) && __CSEQ_nondet_bool())
        return __CSEQ_thrd_busy;
    return pthread_mutex_trylock(mutex) == 0 ? 0 : __CSEQ_thrd_busy;
}

int mtx_timedlock(mtx_t *mutex, const struct timespec *time) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    __CSEQ_fail_unless(mutex->__cs_timed, MUTEX, NOT_TIMED);
    __CSEQ_fail_unless(mutex->__cs_type == 1 || mutex->__cs_owner != __CSEQ_thread + 1, MUTEX, HELD);
    int error = __cs_mutex_timedlock(mutex, time);
    if (error == __CSEQ_ETIMEDOUT)
        return __CSEQ_thrd_timedout;
    return error == 0 ? 0 : __CSEQ_thrd_error;
}

int mtx_unlock(mtx_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    __CSEQ_fail_unless(mutex->__cs_owner == __CSEQ_thread + 1, MUTEX, NOT_HELD);
    return pthread_mutex_unlock(mutex);
}
