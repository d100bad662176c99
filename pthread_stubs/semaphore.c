/* Semaphores (POSIX.1-2017, sem_wait), unnamed and named.
 *
 * State: 1 is ready, 2 destroyed, 3 open under a name, 4 closed, anything else was never initialised. The chain numbers
 * the names in the program from 1, and passes these numbers to sem_open and sem_unlink. Entry k of `slots` says where
 * the semaphore with name k is, 0 if there is none; a semaphore stays where it is when its name is removed. */

sem_t __cs_named[16];
unsigned char __cs_slots[16];
unsigned char __cs_slots_used;

int __cs_sem_fails(int error) {
    __cs_errno[__CSEQ_thread] = error;
    return -1;
}

int sem_init(sem_t *semaphore, int pshared, unsigned int value) {
    if (value > 2147483647)
        return __cs_sem_fails(__CSEQ_EINVAL);
    __CSEQ_fail_unless(__cs_watched != semaphore || semaphore->__cs_state != 1, SEMAPHORE, INITIALISED);
    __cs_watch(semaphore);
    semaphore->__cs_state = 1;
    semaphore->__cs_value = value;
    return 0;
}

int sem_destroy(sem_t *semaphore) {
    __CSEQ_fail_unless(semaphore->__cs_state != 2, SEMAPHORE, DESTROYED_TWICE);
    __CSEQ_fail_unless(semaphore->__cs_state < 3, SEMAPHORE, NAMED);
    __CSEQ_fail_unless((semaphore->__cs_state | __CSEQ_ZEROED) == 1, SEMAPHORE, UNINITIALISED);
    semaphore->__cs_state = 2;
    return 0;
}

int sem_wait(sem_t *semaphore) {
    __CSEQ_fail_unless(semaphore->__cs_state != 2, SEMAPHORE, DESTROYED);
    __CSEQ_fail_unless(semaphore->__cs_state != 4, SEMAPHORE, CLOSED);
    __CSEQ_fail_unless((semaphore->__cs_state & 1) != 0 || semaphore->__cs_state < __CSEQ_ZEROED, SEMAPHORE, UNINITIALISED);
    __CSEQ_wait(semaphore->__cs_value > 0);
    semaphore->__cs_value--;
    return 0;
}

int sem_trywait(sem_t *semaphore) {
    __CSEQ_fail_unless(semaphore->__cs_state != 2, SEMAPHORE, DESTROYED);
    __CSEQ_fail_unless(semaphore->__cs_state != 4, SEMAPHORE, CLOSED);
    __CSEQ_fail_unless((semaphore->__cs_state & 1) != 0 || semaphore->__cs_state < __CSEQ_ZEROED, SEMAPHORE, UNINITIALISED);
    if (semaphore->__cs_value == 0)
        return __cs_sem_fails(__CSEQ_EAGAIN);
    semaphore->__cs_value--;
    return 0;
}

int __cs_sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    int error = __cs_deadline(semaphore->__cs_value > 0, time);
    if (error != 0)
        return __cs_sem_fails(error);
    __CSEQ_wait(semaphore->__cs_value > 0);
    semaphore->__cs_value--;
    return 0;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    __CSEQ_fail_unless(semaphore->__cs_state != 2, SEMAPHORE, DESTROYED);
    __CSEQ_fail_unless(semaphore->__cs_state != 4, SEMAPHORE, CLOSED);
    __CSEQ_fail_unless((semaphore->__cs_state & 1) != 0 || semaphore->__cs_state < __CSEQ_ZEROED, SEMAPHORE, UNINITIALISED);
    return __cs_sem_timedwait(semaphore, time);
}

int sem_clockwait(sem_t *semaphore, int clock, const struct timespec *time) {
    __CSEQ_fail_unless(semaphore->__cs_state != 2, SEMAPHORE, DESTROYED);
    __CSEQ_fail_unless(semaphore->__cs_state != 4, SEMAPHORE, CLOSED);
    __CSEQ_fail_unless((semaphore->__cs_state & 1) != 0 || semaphore->__cs_state < __CSEQ_ZEROED, SEMAPHORE, UNINITIALISED);
    if (clock != 0 && clock != 1)
        return __cs_sem_fails(__CSEQ_EINVAL);
    return __cs_sem_timedwait(semaphore, time);
}

int sem_post(sem_t *semaphore) {
    __CSEQ_fail_unless(semaphore->__cs_state != 2, SEMAPHORE, DESTROYED);
    __CSEQ_fail_unless(semaphore->__cs_state != 4, SEMAPHORE, CLOSED);
    __CSEQ_fail_unless((semaphore->__cs_state & 1) != 0 || semaphore->__cs_state < __CSEQ_ZEROED, SEMAPHORE, UNINITIALISED);
    if (semaphore->__cs_value == 2147483647)
        return __cs_sem_fails(__CSEQ_EOVERFLOW);
    semaphore->__cs_value++;
    return 0;
}

int sem_getvalue(sem_t *semaphore, int *value) {
    __CSEQ_fail_unless(semaphore->__cs_state != 2, SEMAPHORE, DESTROYED);
    __CSEQ_fail_unless(semaphore->__cs_state != 4, SEMAPHORE, CLOSED);
    __CSEQ_fail_unless((semaphore->__cs_state & 1) != 0 || semaphore->__cs_state < __CSEQ_ZEROED, SEMAPHORE, UNINITIALISED);
    *value = semaphore->__cs_value;
    return 0;
}

sem_t *__cs_sem_open(unsigned int name, int flags, unsigned int mode, unsigned int value) {
    if (__cs_slots[name - 1] == 0) {
        if ((flags & 64) == 0)
            __cs_errno[__CSEQ_thread] = __CSEQ_ENOENT;
        else if (value > 2147483647)
            __cs_errno[__CSEQ_thread] = __CSEQ_EINVAL;
        else if (__cs_slots_used == 16)
            __cs_errno[__CSEQ_thread] = __CSEQ_EMFILE;
        if ((flags & 64) == 0 || value > 2147483647 || __cs_slots_used == 16)
            return 0;
        __cs_named[__cs_slots_used].__cs_value = value;
        __cs_slots_used++;
        __cs_slots[name - 1] = __cs_slots_used;
    } else if ((flags & 192) == 192) {
        __cs_errno[__CSEQ_thread] = __CSEQ_EEXIST;
        return 0;
    }
    sem_t *semaphore = &__cs_named[__cs_slots[name - 1] - 1];
    semaphore->__cs_state = 3;
    semaphore->__cs_opened++;
    return semaphore;
}

int sem_close(sem_t *semaphore) {
    __CSEQ_fail_unless(semaphore->__cs_state != 4, SEMAPHORE, CLOSED_TWICE);
    __CSEQ_fail_unless(semaphore->__cs_state == 3, SEMAPHORE, NOT_NAMED);
    semaphore->__cs_opened--;
    if (semaphore->__cs_opened == 0)
        semaphore->__cs_state = 4;
    return 0;
}

int __cs_sem_unlink(unsigned int name) {
    if (__cs_slots[name - 1] == 0)
        return __cs_sem_fails(__CSEQ_ENOENT);
    __cs_slots[name - 1] = 0;
    return 0;
}
