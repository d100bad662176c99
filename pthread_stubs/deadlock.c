/* Deadlocks: judged in the last state, by where each thread is (modules/analysis/marks.py).
 *
 * A set of threads is stuck if each of them is at a call that blocks now, and what it waits for cannot happen without a
 * thread that is in the set too, or is gone: it has ended, or was never created. The set is guessed; bit k of `stuck`
 * says that thread k is in the set, bit k of `lost` that it is in the set or gone.
 *
 * No thread of the set ever goes on. Suppose that one does, and take the first: until then no other thread of the set
 * has done anything, and threads that are gone do nothing.
 * - It waits for what any thread can bring about (a signal, a post, the last one at a barrier, a cancellation). Then it
 *   is in the set only if every thread is lost, so no thread has done anything.
 * - It waits for what takes every thread of a certain set: the owner of a lock, all its readers, the thread that is
 *   joined or that runs the routine. No other thread can replace one of these, and one of them is lost.
 * It is also enough to look for such sets: threads that wait for each other in a cycle are one, whatever others do, and
 * so are all remaining threads when none of them can go on. A thread is not blocked if it waits with a deadline, for
 * something outside the program; nor is any thread when the process ends. Where a thread may wake up without a signal, it
 * is blocked all the same, since it may as well not wake up. */

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
