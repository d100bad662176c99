/* Priorities, in the explicit-state family of engines: used if a scheduler or the program depends on them.
 *
 * There f__cs2 replaces f (modules/explicit/encode/scheduling_model.py). A thread with the policy SCHED_OTHER has priority 0, below
 * all others. What __CSEQ_contends and __CSEQ_dozes report to the scheduler concerns the transition that is tried, and
 * is not part of the state: the thread would go on if it got this mutex; or it would go on because time has passed, so
 * that no thread has to wait until it does.
 *
 * A mutex with a ceiling is remembered from its initialisation on, in the order of addresses. To sleep is a step of its
 * own: threads with lower priorities may run before it ends. */

enum { __CSEQ_CEILINGS = 16, __CSEQ_INHERITS = 255 };

unsigned char __cs_policy[__CSEQ_THREADS];
unsigned char __cs_priority[__CSEQ_THREADS];
pthread_mutex_t *__cs_protected[__CSEQ_CEILINGS];

int __cs_has_priority(int policy, int priority) {
    return policy == 0 ? priority == 0 : policy > 0 && policy <= 2 && priority >= 1 && priority <= 99;
}

int __cs_step_create__cs2(pthread_t *thread, const pthread_attr_t *attr, unsigned int number, void *arg) {
    int error = __cs_step_create(thread, attr, number, arg);
    int own = attr != 0 && attr->__cs_inherits == 1;
    __cs_policy[number] = own ? attr->__cs_policy : __cs_policy[__CSEQ_thread];
    __cs_priority[number] = own ? attr->__cs_priority : __cs_priority[__CSEQ_thread];
    __CSEQ_unwound(__cs_has_priority(__cs_policy[number], __cs_priority[number]), PRIORITY);
    return error;
}

int pthread_setschedparam__cs2(pthread_t thread, int policy, const struct sched_param *param) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    if (!__cs_has_priority(policy, param->sched_priority))
        return __CSEQ_EINVAL;
    __cs_policy[thread - 1] = policy;
    __cs_priority[thread - 1] = param->sched_priority;
    return 0;
}

int pthread_setschedprio__cs2(pthread_t thread, int priority) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    if (!__cs_has_priority(__cs_policy[thread - 1], priority))
        return __CSEQ_EINVAL;
    __cs_priority[thread - 1] = priority;
    return 0;
}

int pthread_getschedparam__cs2(pthread_t thread, int *policy, struct sched_param *param) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    *policy = __cs_policy[thread - 1];
    param->sched_priority = __cs_priority[thread - 1];
    return 0;
}

int pthread_getattr_np__cs2(pthread_t thread, pthread_attr_t *attr) {
    int error = pthread_getattr_np(thread, attr);
    attr->__cs_policy = __cs_policy[thread - 1];
    attr->__cs_priority = __cs_priority[thread - 1];
    return error;
}

int pthread_mutex_init__cs2(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
    int error = pthread_mutex_init(mutex, attr);
    unsigned int place = 0;
    if (mutex->__cs_protocol == 0 || mutex->__cs_protocol == __CSEQ_INHERITS)
        return error;
    while (place < __CSEQ_CEILINGS && __cs_protected[place] != 0 && __cs_protected[place] < mutex)
        place++;
    if (place < __CSEQ_CEILINGS && __cs_protected[place] == mutex)
        return error;
    __CSEQ_unwound(__cs_protected[__CSEQ_CEILINGS - 1] == 0, CEILINGS, 16);
    for (unsigned int last = __CSEQ_CEILINGS - 1; last > place; last--)
        __cs_protected[last] = __cs_protected[last - 1];
    __cs_protected[place] = mutex;
    return error;
}

int __cs_is_above_ceiling(const pthread_mutex_t *mutex) {
    return mutex->__cs_protocol != 0 && __cs_priority[__CSEQ_thread] > mutex->__cs_protocol;
}

void __cs_contend(const pthread_mutex_t *mutex) {
    if (mutex->__cs_protocol == __CSEQ_INHERITS && mutex->__cs_owner != 0)
        __CSEQ_contends(mutex);
}

int pthread_mutex_lock__cs2(pthread_mutex_t *mutex) {
    if (__cs_is_above_ceiling(mutex))
        return __CSEQ_EINVAL;
    __cs_contend(mutex);
    return pthread_mutex_lock(mutex);
}

int pthread_mutex_trylock__cs2(pthread_mutex_t *mutex) {
    return __cs_is_above_ceiling(mutex) ? __CSEQ_EINVAL : pthread_mutex_trylock(mutex);
}

int __cs_mutex_timedlock__cs2(pthread_mutex_t *mutex, const struct timespec *time) {
    __cs_contend(mutex);
    return __cs_mutex_timedlock(mutex, time);
}

int __cs_deadline__cs2(int free, const struct timespec *time) {
    if (!free && __cs_is_time(time))
        __CSEQ_dozes();
    return __cs_deadline(free, time);
}

int pthread_timedjoin_np__cs2(pthread_t thread, void **result, const struct timespec *time) {
    if (thread >= 1 && thread <= __CSEQ_THREADS && thread != __CSEQ_thread + 1 && !__cs_finished[thread - 1])
        __CSEQ_dozes();
    return pthread_timedjoin_np(thread, result, time);
}

void __cs_await(const pthread_cond_t *cond, const pthread_mutex_t *mutex) {
    if (cond->__cs_waiting & 1ULL << __CSEQ_thread)
        __CSEQ_dozes();
    else
        __cs_contend(mutex);
}

void __cs_step_cond_wake__cs2(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __cs_await(cond, mutex);
    __cs_step_cond_wake(cond, mutex);
}

int __cs_step_cond_timedwake__cs2(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __cs_await(cond, mutex);
    return __cs_step_cond_timedwake(cond, mutex);
}

int __cs_step_cond_clockwake__cs2(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    __cs_await(cond, mutex);
    return __cs_step_cond_clockwake(cond, mutex);
}

int __cs_step_cond_wake_or_cancel__cs2(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    if (!__cs_cancel_pending())
        __cs_await(cond, mutex);
    else
        __cs_contend(mutex);
    return __cs_step_cond_wake_or_cancel(cond, mutex);
}

int __cs_step_cond_cancelled__cs2(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    if (__cs_cancel_pending())
        __cs_contend(mutex);
    return __cs_step_cond_cancelled(cond, mutex);
}

void __cs_step_cnd_wake__cs2(cnd_t *cond, mtx_t *mutex) {
    __cs_await(cond, mutex);
    __cs_step_cnd_wake(cond, mutex);
}

int __cs_step_cnd_timedwake__cs2(cnd_t *cond, mtx_t *mutex) {
    __cs_await(cond, mutex);
    return __cs_step_cnd_timedwake(cond, mutex);
}

void __cs_doze(void) {
    if (__cs_priority[__CSEQ_thread] <= 99)
        __CSEQ_dozes();
}

unsigned int sleep__cs2(unsigned int seconds) {
    __cs_doze();
    return sleep(seconds);
}

int usleep__cs2(unsigned int microseconds) {
    __cs_doze();
    return usleep(microseconds);
}

int nanosleep__cs2(const struct timespec *time, struct timespec *rest) {
    __cs_doze();
    return nanosleep(time, rest);
}

int clock_nanosleep__cs2(int clock, int flags, const struct timespec *time, struct timespec *rest) {
    __cs_doze();
    return clock_nanosleep(clock, flags, time, rest);
}

int thrd_sleep__cs2(const struct timespec *time, struct timespec *rest) {
    __cs_doze();
    return thrd_sleep(time, rest);
}
