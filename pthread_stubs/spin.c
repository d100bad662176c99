/* Spin locks. A thread that waits for one is blocked; nothing spins.
 *
 * State: 1 is ready, 2 destroyed, anything else was never initialised. The owner is a thread's number plus one. */

int pthread_spin_init(pthread_spinlock_t *lock, int pshared) {
    __CSEQ_fail_unless(__cs_watched != lock || lock->__cs_state != 1, LOCK, INITIALISED);
    __cs_watch(lock);
    lock->__cs_state = 1;
    lock->__cs_owner = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED_TWICE);
    __CSEQ_fail_unless(lock->__cs_state == 1, LOCK, UNINITIALISED);
    __CSEQ_fail_unless(lock->__cs_owner == 0, LOCK, IN_USE);
    lock->__cs_state = 2;
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless(lock->__cs_state == 1, LOCK, UNINITIALISED);
    __CSEQ_may_hang(lock->__cs_owner == __CSEQ_thread + 1);
    __CSEQ_fail_unless(lock->__cs_owner != __CSEQ_thread + 1, LOCK, HELD);
    __CSEQ_wait_for(lock->__cs_owner == 0, 1ULL << (lock->__cs_owner - 1));
    lock->__cs_owner = __CSEQ_thread + 1;
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless(lock->__cs_state == 1, LOCK, UNINITIALISED);
    if (lock->__cs_owner != 0)
        return __CSEQ_EBUSY;
    lock->__cs_owner = __CSEQ_thread + 1;
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless(lock->__cs_state == 1, LOCK, UNINITIALISED);
    __CSEQ_fail_unless(lock->__cs_owner == __CSEQ_thread + 1, LOCK, NOT_HELD);
    lock->__cs_owner = 0;
    return 0;
}
