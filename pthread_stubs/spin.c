/* Spin locks. Waiting for one is waiting; nothing spins.
 *
 * State: 1 is ready, 2 destroyed, anything else was never initialised. The owner is a thread's number plus one. */

int pthread_spin_init(pthread_spinlock_t *lock, int pshared) {
    __CSEQ_fail_unless(__cs_watched != lock || lock->__cs_state != 1, "pthread_spin_init: the lock is already initialised");
    __cs_watch(lock);
    lock->__cs_state = 1;
    lock->__cs_owner = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, "pthread_spin_destroy: the lock has already been destroyed");
    __CSEQ_fail_unless(lock->__cs_state == 1, "pthread_spin_destroy: the lock was never initialised");
    __CSEQ_fail_unless(lock->__cs_owner == 0, "pthread_spin_destroy: the lock is held");
    lock->__cs_state = 2;
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, "pthread_spin_lock: the lock has been destroyed");
    __CSEQ_fail_unless(lock->__cs_state == 1, "pthread_spin_lock: the lock was never initialised");
    __CSEQ_may_hang(lock->__cs_owner == __CSEQ_thread + 1);
    __CSEQ_fail_unless(lock->__cs_owner != __CSEQ_thread + 1, "pthread_spin_lock: the calling thread already holds the lock");
    __CSEQ_wait_for(lock->__cs_owner == 0, 1ULL << (lock->__cs_owner - 1));
    lock->__cs_owner = __CSEQ_thread + 1;
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, "pthread_spin_trylock: the lock has been destroyed");
    __CSEQ_fail_unless(lock->__cs_state == 1, "pthread_spin_trylock: the lock was never initialised");
    if (lock->__cs_owner != 0)
        return __CSEQ_EBUSY;
    lock->__cs_owner = __CSEQ_thread + 1;
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, "pthread_spin_unlock: the lock has been destroyed");
    __CSEQ_fail_unless(lock->__cs_state == 1, "pthread_spin_unlock: the lock was never initialised");
    __CSEQ_fail_unless(lock->__cs_owner == __CSEQ_thread + 1, "pthread_spin_unlock: the calling thread does not hold the lock");
    lock->__cs_owner = 0;
    return 0;
}
