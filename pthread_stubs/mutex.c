/* Mutexes of the types normal, recursive and errorcheck (POSIX.1-2017, pthread_mutex_lock).
 *
 * State: 1 is ready, 2 destroyed, anything else was never initialised. The owner is a thread's number plus one,
 * 0 when free. What POSIX calls undefined is reported; what it defines as an error is returned. */

int pthread_mutexattr_init(pthread_mutexattr_t *attr) {
    attr->__cs_type = 0;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) {
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type) {
    if (type < 0 || type > 2)
        return __CSEQ_EINVAL;
    attr->__cs_type = type;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *type) {
    *type = attr->__cs_type;
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
    mutex->__cs_state = 1;
    mutex->__cs_type = attr != 0 ? attr->__cs_type : 0;
    mutex->__cs_owner = 0;
    mutex->__cs_count = 0;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, "pthread_mutex_destroy: the mutex has already been destroyed");
    __CSEQ_fail_unless(mutex->__cs_state == 1, "pthread_mutex_destroy: the mutex was never initialised");
    __CSEQ_fail_unless(mutex->__cs_owner == 0, "pthread_mutex_destroy: the mutex is locked");
    mutex->__cs_state = 2;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, "pthread_mutex_lock: the mutex has been destroyed");
    __CSEQ_fail_unless(mutex->__cs_state == 1, "pthread_mutex_lock: the mutex was never initialised");
    if (mutex->__cs_type != 0 && mutex->__cs_owner == __CSEQ_thread + 1) {
        if (mutex->__cs_type == 2)
            return __CSEQ_EDEADLK;
        mutex->__cs_count++;
        return 0;
    }
    __CSEQ_wait(mutex->__cs_owner == 0);
    mutex->__cs_owner = __CSEQ_thread + 1;
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, "pthread_mutex_trylock: the mutex has been destroyed");
    __CSEQ_fail_unless(mutex->__cs_state == 1, "pthread_mutex_trylock: the mutex was never initialised");
    if (mutex->__cs_type == 1 && mutex->__cs_owner == __CSEQ_thread + 1) {
        mutex->__cs_count++;
        return 0;
    }
    if (mutex->__cs_owner != 0)
        return __CSEQ_EBUSY;
    mutex->__cs_owner = __CSEQ_thread + 1;
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(mutex->__cs_state != 2, "pthread_mutex_unlock: the mutex has been destroyed");
    __CSEQ_fail_unless(mutex->__cs_state == 1, "pthread_mutex_unlock: the mutex was never initialised");
    if (mutex->__cs_owner != __CSEQ_thread + 1) {
        __CSEQ_fail_unless(mutex->__cs_type != 0, "pthread_mutex_unlock: the calling thread does not own the mutex");
        return __CSEQ_EPERM;
    }
    if (mutex->__cs_count > 0) {
        mutex->__cs_count--;
        return 0;
    }
    mutex->__cs_owner = 0;
    return 0;
}
