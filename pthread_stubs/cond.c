/* Condition variables, without spurious wake-ups.
 *
 * Bit k of `waiting` says that thread k waits and nobody has woken it yet. A wait is two steps, between which
 * other threads run: one lets the mutex go and goes to sleep, the other runs when the thread has been woken and
 * the mutex is free. A signal wakes one of those that wait at that moment, whichever. */

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr) {
    cond->__cs_state = 1;
    cond->__cs_waiting = 0;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond) {
    __CSEQ_fail_unless(cond->__cs_state != 2, "pthread_cond_destroy: the condition variable has already been destroyed");
    __CSEQ_fail_unless(cond->__cs_state == 1, "pthread_cond_destroy: the condition variable was never initialised");
    __CSEQ_fail_unless(cond->__cs_waiting == 0, "pthread_cond_destroy: a thread waits on the condition variable");
    cond->__cs_state = 2;
    return 0;
}

void __cs_step_cond_sleep(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __CSEQ_fail_unless(cond->__cs_state != 2, "pthread_cond_wait: the condition variable has been destroyed");
    __CSEQ_fail_unless(cond->__cs_state == 1, "pthread_cond_wait: the condition variable was never initialised");
    __CSEQ_fail_unless(mutex->__cs_state == 1, "pthread_cond_wait: the mutex is not initialised");
    __CSEQ_fail_unless(mutex->__cs_owner == __CSEQ_thread + 1, "pthread_cond_wait: the calling thread does not own the mutex");
    mutex->__cs_owner = 0;
    cond->__cs_waiting |= 1ULL << __CSEQ_thread;
}

void __cs_step_cond_wake(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __CSEQ_wait((cond->__cs_waiting & 1ULL << __CSEQ_thread) == 0 && mutex->__cs_owner == 0);
    __CSEQ_fail_unless(mutex->__cs_state == 1, "pthread_cond_wait: the mutex has been destroyed");
    mutex->__cs_owner = __CSEQ_thread + 1;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __cs_step_cond_sleep(cond, mutex);
    __cs_step_cond_wake(cond, mutex);
    return 0;
}

int pthread_cond_signal(pthread_cond_t *cond) {
    __CSEQ_fail_unless(cond->__cs_state != 2, "pthread_cond_signal: the condition variable has been destroyed");
    __CSEQ_fail_unless(cond->__cs_state == 1, "pthread_cond_signal: the condition variable was never initialised");
    if (cond->__cs_waiting != 0) {
        unsigned long long chosen = __CSEQ_nondet_ulonglong();
        __CSEQ_wait((chosen & cond->__cs_waiting) != 0 && (chosen & (chosen - 1)) == 0);
        cond->__cs_waiting &= ~chosen;
    }
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
    __CSEQ_fail_unless(cond->__cs_state != 2, "pthread_cond_broadcast: the condition variable has been destroyed");
    __CSEQ_fail_unless(cond->__cs_state == 1, "pthread_cond_broadcast: the condition variable was never initialised");
    cond->__cs_waiting = 0;
    return 0;
}
