#ifndef _CSEQ_TIME_H
#define _CSEQ_TIME_H
#include <stddef.h>
typedef long time_t;
typedef int clockid_t;
#ifndef _STRUCT_TIMESPEC
#define _STRUCT_TIMESPEC 1
struct timespec { time_t tv_sec; long tv_nsec; };
#endif
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
time_t time(time_t *result);
int timespec_get(struct timespec *time, int base);
int clock_gettime(clockid_t clock, struct timespec *time);
int clock_getres(clockid_t clock, struct timespec *time);
int nanosleep(const struct timespec *time, struct timespec *rest);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest);
#endif
