/* Barriers (POSIX.1-2017, pthread_barrier_wait).
 *
 * State: 1 is ready, 2 destroyed, anything else was never initialised. Bit k of `waiting` says that thread k has
 * arrived and is not yet released; `arrived` is the number of such threads. A wait is two steps: to arrive, and to
 * leave once released. The last thread to arrive releases all of them, and chooses the one among them for which the
 * call returns PTHREAD_BARRIER_SERIAL_THREAD. The barrier is then ready for the next phase. */

__cs_threads_t __cs_serial;

int pthread_barrierattr_init(pthread_barrierattr_t *attr) {
    attr->__cs_pshared = 0;
    return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attr) {
    return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int pshared) {
    if (pshared != 0 && pshared != 1)
        return __CSEQ_EINVAL;
    attr->__cs_pshared = pshared;
    return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *pshared) {
    *pshared = attr->__cs_pshared;
    return 0;
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned int count) {
    if (count == 0)
        return __CSEQ_EINVAL;
    __CSEQ_fail_unless(__cs_watched != barrier || barrier->__cs_state != 1, BARRIER, INITIALISED);
    __cs_watch(barrier);
    barrier->__cs_state = 1;
    barrier->__cs_count = count;
    barrier->__cs_arrived = 0;
    barrier->__cs_waiting = 0;
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    __CSEQ_fail_unless(barrier->__cs_state != 2, BARRIER, DESTROYED_TWICE);
    __CSEQ_fail_unless(barrier->__cs_state == 1, BARRIER, UNINITIALISED);
    __CSEQ_fail_unless(barrier->__cs_waiting == 0, BARRIER, IN_USE);
    barrier->__cs_state = 2;
    return 0;
}

void __cs_step_barrier_arrive(pthread_barrier_t *barrier) {
    __CSEQ_fail_unless(barrier->__cs_state != 2, BARRIER, DESTROYED, "pthread_barrier_wait");
    __CSEQ_fail_unless(barrier->__cs_state == 1, BARRIER, UNINITIALISED, "pthread_barrier_wait");
    barrier->__cs_waiting |= 1ULL << __CSEQ_thread;
    barrier->__cs_arrived++;
    if (barrier->__cs_arrived == barrier->__cs_count) {
        __cs_threads_t chosen = __CSEQ_nondet_ulonglong();
        __CSEQ_assume((chosen & barrier->__cs_waiting) != 0 && (chosen & (chosen - 1)) == 0);
        __cs_serial |= chosen;
        barrier->__cs_waiting = 0;
        barrier->__cs_arrived = 0;
    }
}

int __cs_step_barrier_leave(pthread_barrier_t *barrier) {
    __cs_threads_t me = 1ULL << __CSEQ_thread;
    __CSEQ_wait((barrier->__cs_waiting & me) == 0);
    if ((__cs_serial & me) == 0)
        return 0;
    __cs_serial ^= me;
    return -1;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
    __cs_step_barrier_arrive(barrier);
    return __cs_step_barrier_leave(barrier);
}
