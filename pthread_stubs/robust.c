/* The functions about mutexes for programs in which some may be robust (POSIX.1-2017, pthread_mutex_lock).
 *
 * Calls of the functions in mutex.c become calls of these. The robustness is 0 for none, 1 for a robust mutex, 2 if
 * it has been locked after its owner had ended, and 3 if it has been unlocked then without being made consistent. The
 * owner of a robust mutex that has ended holds it no longer. */

int __cs_left(const pthread_mutex_t *mutex) {
    return mutex->__cs_owner != 0 && mutex->__cs_timed != 0 && __cs_finished[mutex->__cs_owner - 1];
}

int __cs_robust_take(pthread_mutex_t *mutex) {
    if (mutex->__cs_timed == 3)
        return __CSEQ_ENOTRECOVERABLE;
    if (__cs_left(mutex)) {
        mutex->__cs_timed = 2;
        mutex->__cs_count = 0;
        mutex->__cs_owner = __CSEQ_thread + 1;
        return __CSEQ_EOWNERDEAD;
    }
    mutex->__cs_owner = __CSEQ_thread + 1;
    return 0;
}

int pthread_mutex_init__cs3(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
    int error = pthread_mutex_init(mutex, attr);
    mutex->__cs_timed = attr != 0 ? attr->__cs_robust : 0;
    return error;
}

int pthread_mutex_lock__cs3(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (mutex->__cs_type != 0 && mutex->__cs_owner == __CSEQ_thread + 1) {
        if (mutex->__cs_type == 2)
            return __CSEQ_EDEADLK;
        mutex->__cs_count++;
        return 0;
    }
    __CSEQ_wait_for(mutex->__cs_owner == 0 || __cs_left(mutex), 1ULL << (mutex->__cs_owner - 1));
    return __cs_robust_take(mutex);
}

int pthread_mutex_trylock__cs3(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (mutex->__cs_type == 1 && mutex->__cs_owner == __CSEQ_thread + 1) {
        mutex->__cs_count++;
        return 0;
    }
    if (mutex->__cs_owner != 0 && !__cs_left(mutex))
        return __cs_busy(mutex, mutex->__cs_timed);
    return __cs_robust_take(mutex);
}

int __cs_robust_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    int mine = mutex->__cs_type != 0 && mutex->__cs_owner == __CSEQ_thread + 1;
    int error = __cs_deadline(mine || mutex->__cs_owner == 0 || __cs_left(mutex), time);
    return error != 0 ? error : pthread_mutex_lock__cs3(mutex);
}

int pthread_mutex_timedlock__cs3(pthread_mutex_t *mutex, const struct timespec *time) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    return __cs_robust_timedlock(mutex, time);
}

int pthread_mutex_clocklock__cs3(pthread_mutex_t *mutex, int clock, const struct timespec *time) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (clock != 0 && clock != 1)
        return __CSEQ_EINVAL;
    return __cs_robust_timedlock(mutex, time);
}

int pthread_mutex_unlock__cs3(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (mutex->__cs_owner != __CSEQ_thread + 1) {
        __CSEQ_fail_unless(mutex->__cs_type != 0 || mutex->__cs_timed != 0, MUTEX, NOT_HELD);
        return __CSEQ_EPERM;
    }
    if (mutex->__cs_count > 0) {
        mutex->__cs_count--;
        return 0;
    }
    if (mutex->__cs_timed == 2)
        mutex->__cs_timed = 3;
    mutex->__cs_owner = 0;
    return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, MUTEX, DESTROYED);
    __CSEQ_fail_unless((mutex->__cs_state | __CSEQ_ZEROED) == 1, MUTEX, UNINITIALISED);
    if (mutex->__cs_timed != 2 || mutex->__cs_owner != __CSEQ_thread + 1)
        return __CSEQ_EINVAL;
    mutex->__cs_timed = 1;
    return 0;
}
