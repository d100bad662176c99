#ifndef _CSEQ_TIME_H
#define _CSEQ_TIME_H
#include <stddef.h>
typedef long time_t;
typedef int clockid_t;
typedef long clock_t;
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
#define CLOCKS_PER_SEC ((clock_t)1000000)
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
time_t time(time_t *__result);
clock_t clock(void);
double difftime(time_t __end, time_t __start);
time_t mktime(struct tm *__time);
struct tm *gmtime(const time_t *__time);
struct tm *localtime(const time_t *__time);
struct tm *gmtime_r(const time_t *__time, struct tm *__result);
struct tm *localtime_r(const time_t *__time, struct tm *__result);
char *asctime(const struct tm *__time);
char *ctime(const time_t *__time);
size_t strftime(char *__buffer, size_t __size, const char *__format, const struct tm *__time);
int timespec_get(struct timespec *__time, int __base);
int clock_gettime(clockid_t __clock, struct timespec *__time);
int clock_getres(clockid_t __clock, struct timespec *__time);
int nanosleep(const struct timespec *__time, struct timespec *__rest);
int clock_nanosleep(clockid_t __clock, int __flags, const struct timespec *__time, struct timespec *__rest);
#endif
