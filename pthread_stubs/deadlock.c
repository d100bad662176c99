/* Deadlocks: judged in the last state, where each thread stands (modules/standing.py).
 *
 * A set of threads is stuck when each of them stands at a call that blocks, and only threads in the set, or such that
 * have ended, can do what it waits for. The set is guessed. A circle of threads that hold each other's mutexes is such
 * a set, whatever other threads do, and so are all the threads of a program in which nothing can go on.
 *
 * Bit k of `gone` says that thread k can do nothing any more: it has ended, or was never created. */

unsigned long long __cs_stuck;
unsigned long long __cs_gone;
unsigned char __cs_blocked;

void __cs_deadlock_begin(void) {
    __cs_stuck = __CSEQ_nondet_ulonglong();
    __CSEQ_assume(__cs_stuck != 0);
    for (unsigned int thread = 0; thread < 64; thread++) {
        if (thread >= __CSEQ_THREADS)
            __CSEQ_assume((__cs_stuck >> thread & 1) == 0);
        else if (!__cs_active[thread] || __cs_finished[thread])
            __cs_gone |= 1ULL << thread;
    }
}

int __cs_deadlock_asks(unsigned int thread) {
    __cs_blocked = 0;
    return __cs_stuck >> thread & 1;
}

void __cs_deadlock_waits(void) {
    __cs_blocked = 1;
    for (unsigned int thread = 0; thread < __CSEQ_THREADS; thread++)
        __CSEQ_assume(((__cs_stuck | __cs_gone) >> thread & 1) != 0);
}

void __cs_deadlock_waits_for(unsigned long long who) {
    __cs_blocked = 1;
    __CSEQ_assume((who & (__cs_stuck | __cs_gone)) != 0);
}

void __cs_deadlock_is_blocked(void) {
    __CSEQ_assume(__cs_blocked);
}

void __cs_deadlock_end(void) {
    __CSEQ_assert(0, "deadlock");
}
