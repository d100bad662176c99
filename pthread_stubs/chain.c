/* Deadlocks: a chain of threads that wait for each other, guessed while they run (ASE 2015, II.B).
 *
 * The first thread of the chain may go on; each further one is blocked for good on a lock that the previous one holds.
 * The chain is closed, and there is a deadlock, when the first thread blocks on a lock that the last one holds.
 * The lock on which the second thread is blocked is the hinge: the first thread must not release it.
 *
 * The functions here are called in the steps of calls that lock and unlock (modules/symbolic/encode/wait_cycle.py). */

unsigned int __cs_chain[__CSEQ_THREADS];
unsigned int __cs_chained;
const void *__cs_hinge;

void __cs_chain_may_open(void) {
    if (__cs_chained == 0 && __CSEQ_nondet_bool()) {
        __cs_chain[0] = __CSEQ_thread;
        __cs_chained = 1;
    }
}

int __cs_chain_blocks(const pthread_mutex_t *mutex) {
    if (mutex->__cs_owner == 0) {
        __cs_chain_may_open();
        return 0;
    }
    return mutex->__cs_type == 0 || mutex->__cs_owner != __CSEQ_thread + 1;
}

int __cs_chain_blocks_woken(const pthread_mutex_t *mutex, const pthread_cond_t *cond) {
    int woken = __CSEQ_SPURIOUS || (cond->__cs_waiting & 1ULL << __CSEQ_thread) == 0;
    return woken && __cs_chain_blocks(mutex);
}

int __cs_chain_blocks_spin(const pthread_spinlock_t *lock) {
    if (lock->__cs_owner == 0)
        __cs_chain_may_open();
    return lock->__cs_owner != 0;
}

void __cs_chain_grows(const void *lock, unsigned int holder) {
    __CSEQ_assume(__cs_chained != 0 && holder == __cs_chain[__cs_chained - 1]);
    __CSEQ_assert(__CSEQ_thread != __cs_chain[0], "deadlock");
    __CSEQ_assume(__CSEQ_thread != __cs_chain[0]);
    if (__cs_chained == 1)
        __cs_hinge = lock;
    __cs_chain[__cs_chained] = __CSEQ_thread;
    __cs_chained++;
}

void __cs_chain_joins(pthread_mutex_t *mutex) {
    __cs_chain_grows(mutex, mutex->__cs_owner - 1);
}

void __cs_chain_joins_spin(pthread_spinlock_t *lock) {
    __cs_chain_grows(lock, lock->__cs_owner - 1);
}

void __cs_chain_keeps_spin(const void *lock) {
    __CSEQ_assume(__cs_chained < 2 || __cs_hinge != lock || __cs_chain[0] != __CSEQ_thread);
}

void __cs_chain_keeps(const pthread_mutex_t *mutex) {
    if (mutex->__cs_count == 0)
        __cs_chain_keeps_spin(mutex);
}
