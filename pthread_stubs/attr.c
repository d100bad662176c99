/* Attributes of threads. Only the detach state has an effect here; other attributes are just stored.
 * The bounds of priorities are those of Linux.
 *
 * State: 1 is ready, 2 destroyed, anything else was never initialised. */

enum { __CSEQ_SMALLEST_STACK = 16384 };

void __cs_check_attr(const pthread_attr_t *attr) {
    __CSEQ_fail_unless(attr->__cs_state != 2, THREAD_ATTRIBUTES, DESTROYED);
    __CSEQ_fail_unless(attr->__cs_state == 1, THREAD_ATTRIBUTES, UNINITIALISED);
}

int pthread_attr_init(pthread_attr_t *attr) {
    attr->__cs_state = 1;
    attr->__cs_detached = 0;
    attr->__cs_inherits = 0;
    attr->__cs_policy = 0;
    attr->__cs_priority = 0;
    attr->__cs_stack_size = 8388608;
    attr->__cs_guard_size = 4096;
    attr->__cs_stack = 0;
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr) {
    __cs_check_attr(attr);
    attr->__cs_state = 2;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state) {
    __cs_check_attr(attr);
    if (state != 0 && state != 1)
        return __CSEQ_EINVAL;
    attr->__cs_detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) {
    __cs_check_attr(attr);
    *state = attr->__cs_detached;
    return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherits) {
    __cs_check_attr(attr);
    if (inherits != 0 && inherits != 1)
        return __CSEQ_EINVAL;
    attr->__cs_inherits = inherits;
    return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherits) {
    __cs_check_attr(attr);
    *inherits = attr->__cs_inherits;
    return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy) {
    __cs_check_attr(attr);
    if (policy < 0 || policy > 2)
        return __CSEQ_EINVAL;
    attr->__cs_policy = policy;
    return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy) {
    __cs_check_attr(attr);
    *policy = attr->__cs_policy;
    return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size) {
    __cs_check_attr(attr);
    attr->__cs_guard_size = size;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size) {
    __cs_check_attr(attr);
    *size = attr->__cs_guard_size;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size) {
    __cs_check_attr(attr);
    if (size < __CSEQ_SMALLEST_STACK)
        return __CSEQ_EINVAL;
    attr->__cs_stack_size = size;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
    __cs_check_attr(attr);
    *size = attr->__cs_stack_size;
    return 0;
}

int pthread_attr_setstackaddr(pthread_attr_t *attr, void *stack) {
    __cs_check_attr(attr);
    attr->__cs_stack = stack;
    return 0;
}

int pthread_attr_getstackaddr(const pthread_attr_t *attr, void **stack) {
    __cs_check_attr(attr);
    *stack = attr->__cs_stack;
    return 0;
}

int pthread_attr_setscope(pthread_attr_t *attr, int scope) {
    __cs_check_attr(attr);
    return scope == 0 ? 0 : scope == 1 ? __CSEQ_ENOTSUP : __CSEQ_EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *attr, int *scope) {
    __cs_check_attr(attr);
    *scope = 0;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param) {
    __cs_check_attr(attr);
    if (param->sched_priority < (attr->__cs_policy != 0) || param->sched_priority > (attr->__cs_policy != 0 ? 99 : 0))
        return __CSEQ_EINVAL;
    attr->__cs_priority = param->sched_priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attr, struct sched_param *param) {
    __cs_check_attr(attr);
    param->sched_priority = attr->__cs_priority;
    return 0;
}

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size) {
    __cs_check_attr(attr);
    if (size < __CSEQ_SMALLEST_STACK)
        return __CSEQ_EINVAL;
    attr->__cs_stack = stack;
    attr->__cs_stack_size = size;
    return 0;
}

int pthread_attr_getstack(const pthread_attr_t *attr, void **stack, size_t *size) {
    __cs_check_attr(attr);
    *stack = attr->__cs_stack;
    *size = attr->__cs_stack_size;
    return 0;
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr) {
    __CSEQ_fail_unless(thread >= 1 && thread <= __CSEQ_THREADS, THREAD, NONE_CREATED);
    __CSEQ_fail_unless(__cs_active[thread - 1], THREAD, NONE_CREATED);
    attr->__cs_state = 1;
    attr->__cs_detached = __cs_detached[thread - 1];
    attr->__cs_inherits = 0;
    attr->__cs_policy = 0;
    attr->__cs_priority = 0;
    attr->__cs_stack_size = 8388608;
    attr->__cs_guard_size = 4096;
    attr->__cs_stack = __CSEQ_nondet_pointer();
    return 0;
}

int __cs_priority_bound(int policy, int bound) {
    if (policy == 1 || policy == 2)
        return bound;
    if (policy == 0 || policy == 3 || policy == 5)
        return 0;
    __cs_errno[__CSEQ_thread] = __CSEQ_EINVAL;
    return -1;
}

int sched_get_priority_max(int policy) {
    return __cs_priority_bound(policy, 99);
}

int sched_get_priority_min(int policy) {
    return __cs_priority_bound(policy, 1);
}
