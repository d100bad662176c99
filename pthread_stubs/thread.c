/* Threads: creation, termination, join, detach.
 *
 * Each function here is one step of the calling thread. The chain defines the primitives:
 * __CSEQ_wait(c) blocks until c holds, __CSEQ_fail_unless(c, object, reason) reports misuse, __CSEQ_thread is the
 * index of the calling thread, and __CSEQ_THREADS the number of all threads. A pthread_t is the index plus one,
 * so that zeroed memory is not a thread. */

unsigned char __cs_active[__CSEQ_THREADS];
unsigned char __cs_finished[__CSEQ_THREADS];
unsigned char __cs_detached[__CSEQ_THREADS];
unsigned char __cs_joined[__CSEQ_THREADS];
void *__cs_argument[__CSEQ_THREADS];
void *__cs_result[__CSEQ_THREADS];

int __cs_step_create(pthread_t *thread, const pthread_attr_t *attr, unsigned int number, void *arg) {
    __CSEQ_fail_unless(thread != 0, THREAD, MISSING);
    *thread = number + 1;
    __cs_argument[number] = arg;
    if (attr != 0) {
        __CSEQ_fail_unless(attr->__cs_state != 2, ATTRIBUTES, DESTROYED, "pthread_create");
        __CSEQ_fail_unless(attr->__cs_state == 1, ATTRIBUTES, UNINITIALISED, "pthread_create");
        __cs_detached[number] = attr->__cs_detached;
    }
    __cs_active[number] = 1;
    return 0;
}

void __cs_step_exit(void *result) {
    __cs_result[__CSEQ_thread] = result;
    __cs_finished[__CSEQ_thread] = 1;
}

int pthread_join(pthread_t thread, void **result) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    __CSEQ_fail_unless(!__cs_detached[thread - 1], THREAD, DETACHED);
    __CSEQ_fail_unless(!__cs_joined[thread - 1], THREAD, JOINED_TWICE);
    __CSEQ_may_hang(thread == __CSEQ_thread + 1);
    if (thread == __CSEQ_thread + 1)
        return __CSEQ_EDEADLK;
    __CSEQ_wait_for(__cs_finished[thread - 1], 1ULL << (thread - 1));
    __cs_joined[thread - 1] = 1;
    if (result != 0)
        *result = __cs_result[thread - 1];
    return 0;
}

pthread_t pthread_self(void) {
    return __CSEQ_thread + 1;
}

int pthread_equal(pthread_t a, pthread_t b) {
    return a == b;
}

int pthread_detach(pthread_t thread) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    __CSEQ_fail_unless(!__cs_detached[thread - 1], THREAD, DETACHED_TWICE);
    __CSEQ_fail_unless(!__cs_joined[thread - 1], THREAD, JOINED_TWICE);
    __cs_detached[thread - 1] = 1;
    return 0;
}

int pthread_tryjoin_np(pthread_t thread, void **result) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    __CSEQ_fail_unless(!__cs_detached[thread - 1], THREAD, DETACHED);
    __CSEQ_fail_unless(!__cs_joined[thread - 1], THREAD, JOINED_TWICE);
    if (!__cs_finished[thread - 1])
        return __CSEQ_EBUSY;
    __cs_joined[thread - 1] = 1;
    if (result != 0)
        *result = __cs_result[thread - 1];
    return 0;
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *time) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    __CSEQ_fail_unless(!__cs_detached[thread - 1], THREAD, DETACHED);
    __CSEQ_fail_unless(!__cs_joined[thread - 1], THREAD, JOINED_TWICE);
    if (thread == __CSEQ_thread + 1)
        return __CSEQ_EDEADLK;
    if (!__cs_is_time(time))
        return __CSEQ_EINVAL;
    if (!__cs_finished[thread - 1])
        return __CSEQ_ETIMEDOUT;
    __cs_joined[thread - 1] = 1;
    if (result != 0)
        *result = __cs_result[thread - 1];
    return 0;
}

int pthread_kill(pthread_t thread, int signal) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    __CSEQ_fail_unless(!__cs_joined[thread - 1], THREAD, JOINED);
    return 0;
}

int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *param) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    *policy = __CSEQ_nondet_int() & 1;
    param->sched_priority = __CSEQ_nondet_int() & 63;
    return 0;
}

int pthread_getconcurrency(void) {
    return __CSEQ_nondet_int() & 127;
}

/* A thread stops where it forks, so these are never called. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    return 0;
}

/* Identifiers that come back: for programs that compare them. The identifier of a thread that has ended, and that has
 * been joined or detached, may be that of a new thread, as far as comparisons go. An element is 0 where a thread has
 * an identifier of its own. */
unsigned int __cs_same_as[__CSEQ_THREADS];

unsigned int __cs_identity(pthread_t thread) {
    if (thread < 1 || thread > __CSEQ_THREADS || __cs_same_as[thread - 1] == 0)
        return thread;
    return __cs_same_as[thread - 1];
}

int __cs_is_unused(unsigned int identity) {
    unsigned int at = 0;
    int unused = __cs_active[identity - 1] && __cs_same_as[identity - 1] == 0;
    while (at < __CSEQ_THREADS) {
        if (__cs_active[at] && __cs_identity(at + 1) == identity)
            unused = unused && __cs_finished[at] && (__cs_joined[at] || __cs_detached[at]);
        at++;
    }
    return unused;
}

void __cs_identified(unsigned int number) {
    unsigned int at = 0;
    while (at < __CSEQ_THREADS) {
        if (at != number && __cs_same_as[number] == 0 && __cs_is_unused(at + 1) && __CSEQ_nondet_bool())
            __cs_same_as[number] = at + 1;
        at++;
    }
}

int pthread_equal__cs6(pthread_t a, pthread_t b) {
    return __cs_identity(a) == __cs_identity(b);
}

/* The order of identifiers, for programs that compare them by `<`: how many identifiers of other threads are less. It
 * is any, and stays the same. */
unsigned char __cs_rank[__CSEQ_THREADS];

void __cs_ranked(unsigned int number) {
    unsigned int at = 0, rank = 0;
    while (at < __CSEQ_THREADS) {
        if (at != number && __cs_active[at] && __CSEQ_nondet_bool())
            rank++;
        at++;
    }
    __cs_rank[number] = rank;
    at = 0;
    while (at < __CSEQ_THREADS) {
        if (at != number && __cs_active[at] && __cs_rank[at] >= rank)
            __cs_rank[at]++;
        at++;
    }
}

int __cs_precedes(pthread_t a, pthread_t b) {
    unsigned int one = __cs_identity(a), other = __cs_identity(b);
    if (one < 1 || one > __CSEQ_THREADS || other < 1 || other > __CSEQ_THREADS)
        return __CSEQ_nondet_bool();
    return __cs_rank[one - 1] < __cs_rank[other - 1];
}
