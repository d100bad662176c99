/* Deadlocks: judged in the last state, where each thread stands (modules/analysis/marks.py).
 *
 * A set of threads is stuck when each of them stands at a call that blocks now, and what it waits for cannot come
 * without a thread that is in the set too, or is gone: it has ended, or was never created. The set is guessed; bit k of
 * `stuck` says that thread k is in it, bit k of `lost` that it is in it or gone.
 *
 * None of the set ever goes on. Suppose that one does, and take the first: until then no other has done anything, and
 * those that are gone do nothing any more.
 * - It waits for what any thread can bring about (a signal, a post, the last one at a barrier, a cancellation). Then it
 *   is only in the set if every thread is lost, so nobody has done anything.
 * - It waits for what takes each thread in a set of its own: the owner of a lock, all who read under it, the thread that
 *   is joined or runs the routine. Nobody else can give that away, and one of them is lost.
 * It is also enough to look for such sets: the threads that wait for each other in a circle are one, whatever others
 * do, and so are all that are left where nothing can go on. Who waits with a deadline, for something outside of the
 * program, or where it may wake up without a signal, is not blocked. Nor is anyone when the process ends. */

unsigned long long __cs_stuck;
unsigned long long __cs_lost;
unsigned char __cs_blocked;

void __cs_deadlock_begin(void) {
    __cs_stuck = __CSEQ_nondet_ulonglong();
    __CSEQ_assume(__cs_stuck != 0);
    __cs_lost = __cs_stuck;
    for (unsigned int thread = 0; thread < __CSEQ_THREADS; thread++)
        if (!__cs_active[thread] || __cs_finished[thread])
            __cs_lost |= 1ULL << thread;
    __CSEQ_assume(__cs_stuck <= ~0ULL >> (64 - __CSEQ_THREADS));
}

int __cs_deadlock_asks(unsigned int thread) {
    __cs_blocked = 0;
    return __cs_stuck >> thread & 1;
}

void __cs_deadlock_waits(void) {
    __cs_blocked = 1;
    __CSEQ_assume(__cs_lost == ~0ULL >> (64 - __CSEQ_THREADS));
}

void __cs_deadlock_waits_for(unsigned long long who) {
    __cs_blocked = 1;
    __CSEQ_assume((who & __cs_lost) != 0);
}

void __cs_deadlock_is_blocked(void) {
    __CSEQ_assume(__cs_blocked);
}

void __cs_deadlock_end(void) {
    __CSEQ_assert(0, "deadlock");
}
