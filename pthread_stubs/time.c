/* Time is nondeterministic: clocks show any time, sleeping takes no time, and a deadline may or may not have passed.
 *
 * No clock goes backwards, except the time of day, which can be set. Other threads cannot notice that a thread yields
 * or sleeps: they can be scheduled before or after it anyway. There are no signals, so nothing wakes a
 * sleeping thread early. */

struct timespec __cs_now;

int __cs_is_time(const struct timespec *time) {
    return time->tv_nsec >= 0 && time->tv_nsec <= 999999999;
}

int __cs_deadline(int free, const struct timespec *time) {
    if (!__cs_is_time(time))
        return free && __CSEQ_nondet_bool() ? 0 : __CSEQ_EINVAL;
    return free || __CSEQ_nondet_bool() ? 0 : __CSEQ_ETIMEDOUT;
}

void __cs_any_time(struct timespec *time) {
    unsigned int part = __CSEQ_nondet_uint() & 0x3fffffff;
    time->tv_sec = __CSEQ_nondet_ulong() >> 1;
    time->tv_nsec = part < 1000000000 ? part : part - 1000000000;
}

int clock_gettime(int clock, struct timespec *time) {
    if (clock < 0 || clock > 11) {
        __cs_errno[__CSEQ_thread] = __CSEQ_EINVAL;
        return -1;
    }
    __cs_any_time(time);
    if (clock == 0 || clock == 5)
        return 0;
    if (time->tv_sec < __cs_now.tv_sec || (time->tv_sec == __cs_now.tv_sec && time->tv_nsec < __cs_now.tv_nsec))
        *time = __cs_now;
    __cs_now = *time;
    return 0;
}

int clock_getres(int clock, struct timespec *time) {
    if (clock < 0 || clock > 11) {
        __cs_errno[__CSEQ_thread] = __CSEQ_EINVAL;
        return -1;
    }
    if (time != 0) {
        time->tv_sec = 0;
        time->tv_nsec = 1;
    }
    return 0;
}

int timespec_get(struct timespec *time, int base) {
    if (base != 1)
        return 0;
    __cs_any_time(time);
    return base;
}

int sched_yield(void) {
    return 0;
}

int pthread_yield(void) {
    return 0;
}

unsigned int sleep(unsigned int seconds) {
    return 0;
}

int usleep(unsigned int microseconds) {
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
    if (time->tv_sec >= 0 && __cs_is_time(time))
        return 0;
    __cs_errno[__CSEQ_thread] = __CSEQ_EINVAL;
    return -1;
}

int clock_nanosleep(int clock, int flags, const struct timespec *time, struct timespec *rest) {
    if (clock < 0 || clock > 11 || !__cs_is_time(time))
        return __CSEQ_EINVAL;
    return 0;
}

void thrd_yield(void) {
}

int thrd_sleep(const struct timespec *time, struct timespec *rest) {
    return time->tv_sec >= 0 && __cs_is_time(time) ? 0 : -2;
}
