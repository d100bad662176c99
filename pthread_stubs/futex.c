/* Fast user-space locking (futex(2)): FUTEX_WAIT and FUTEX_WAKE.
 *
 * `futex_word` says at which word a thread sleeps. A wait is two steps, between which other threads run: the first
 * compares the value of the word and goes to sleep, the second runs when the thread has been woken. To wake n threads
 * wakes any n of those that sleep at that word. A wait with a time limit may end at any moment, and so may every wait
 * if __CSEQ_SPURIOUS holds. */

const void *__cs_futex_word[__CSEQ_THREADS];

int __cs_step_futex_sleep(const void *word, int same) {
    if (!same) {
        __cs_errno[__CSEQ_thread] = __CSEQ_EAGAIN;
        return 0;
    }
    __cs_futex_word[__CSEQ_thread] = word;
    return 1;
}

void __cs_step_futex_return(void) {
    __CSEQ_wait_or_wake(__cs_futex_word[__CSEQ_thread] == 0);
    __cs_futex_word[__CSEQ_thread] = 0;
}

int __cs_step_futex_timedreturn(void) {
    int woken = __cs_futex_word[__CSEQ_thread] == 0 || (__CSEQ_SPURIOUS && __CSEQ_nondet_bool());
    __cs_futex_word[__CSEQ_thread] = 0;
    if (woken)
        return 0;
    __cs_errno[__CSEQ_thread] = __CSEQ_ETIMEDOUT;
    return -1;
}

int __cs_futex_wait(const void *word, int value, const void *time) {
    __VERIFIER_atomic_begin();
    int __cs_newest = __atomic_load_n((const int *) word, 5);
    int __cs_asleep = __cs_step_futex_sleep(word, __cs_newest == value);
    __VERIFIER_atomic_end();
    if (!__cs_asleep)
        return -1;
    if (time != 0)
        return __cs_step_futex_timedreturn();
    __cs_step_futex_return();
    return 0;
}

int __cs_step_futex_wake(const void *word, int count) {
    int at = 0, woken = 0, left = 0;
    while (at < __CSEQ_THREADS) {
        int wakes = woken < 1 || woken < count;
        if (__cs_futex_word[at] == word) {
            if (wakes && __CSEQ_nondet_bool()) {
                __cs_futex_word[at] = 0;
                woken++;
            } else {
                left = 1;
            }
        }
        at++;
    }
    __CSEQ_assume(!left || (woken >= 1 && woken >= count));
    return woken;
}
