/* Threads of C11 (7.26.5): POSIX threads under other names. Results are integers instead of pointers. */

enum { __CSEQ_thrd_busy = 1, __CSEQ_thrd_error = 2, __CSEQ_thrd_timedout = 4 };

int thrd_join(thrd_t thread, int *result) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    __CSEQ_fail_unless(!__cs_detached[thread - 1], THREAD, DETACHED);
    __CSEQ_fail_unless(!__cs_joined[thread - 1], THREAD, JOINED_TWICE);
    __CSEQ_may_hang(thread == __CSEQ_thread + 1);
    if (thread == __CSEQ_thread + 1)
        return __CSEQ_thrd_error;
    __CSEQ_wait_for(__cs_finished[thread - 1], 1ULL << (thread - 1));
    __cs_joined[thread - 1] = 1;
    if (result != 0)
        *result = (int) (long) __cs_result[thread - 1];
    return 0;
}

int thrd_detach(thrd_t thread) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    __CSEQ_fail_unless(!__cs_detached[thread - 1], THREAD, DETACHED_TWICE);
    __CSEQ_fail_unless(!__cs_joined[thread - 1], THREAD, JOINED_TWICE);
    __cs_detached[thread - 1] = 1;
    return 0;
}

thrd_t thrd_current(void) {
    return __CSEQ_thread + 1;
}

int thrd_equal(thrd_t a, thrd_t b) {
    return a == b;
}

void call_once(pthread_once_t *once, void (*routine)(void)) {
    if (__cs_step_once_begin(once)) {
        routine();
        __cs_step_once_end(once);
    }
}

int tss_create(tss_t *key, void (*destructor)(void *)) {
    pthread_key_create(key, destructor);
    return 0;
}

void tss_delete(tss_t key) {
    pthread_key_delete(key);
}

void *tss_get(tss_t key) {
    __CSEQ_fail_unless(key >= 1 && key <= __cs_keys, KEY, NONE_CREATED);
    __CSEQ_fail_unless(__cs_key_exists >> (key - 1) & 1, KEY, DELETED);
    return __cs_specific_value[__CSEQ_thread][key - 1];
}

int tss_set(tss_t key, void *value) {
    return pthread_setspecific(key, value) == 0 ? 0 : __CSEQ_thrd_error;
}
