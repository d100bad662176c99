/* One-time initialisation (pthread_once, call_once).
 *
 * The object is 0 before the routine runs, the number of the thread that runs it plus one while it does, and -1
 * afterwards. A thread that calls it in the meantime blocks. */

int __cs_step_once_begin(pthread_once_t *once) {
    __CSEQ_fail_unless(once != 0, ONCE, MISSING, "pthread_once");
    __CSEQ_may_hang(*once == __CSEQ_thread + 1);
    __CSEQ_fail_unless(*once != __CSEQ_thread + 1, ONCE, RECURSIVE, "pthread_once");
    __CSEQ_wait_for(*once == 0 || *once == -1, 1ULL << (*once - 1));
    if (*once == -1)
        return 0;
    *once = __CSEQ_thread + 1;
    return 1;
}

void __cs_step_once_end(pthread_once_t *once) {
    *once = -1;
}

int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    if (__cs_step_once_begin(once)) {
        routine();
        __cs_step_once_end(once);
    }
    return 0;
}
