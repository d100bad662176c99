/* What the programs of several files use: a mutex, a condition variable, and what they guard. */
#ifndef SHARED_H
#define SHARED_H

#include <assert.h>
#include <pthread.h>
#include <time.h>

static int shared, turn;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *adds(void *subject)
{
    pthread_mutex_t *lock = subject;
    assert(pthread_mutex_lock(lock) == 0);
    shared = shared + 1;
    assert(pthread_mutex_unlock(lock) == 0);
    return NULL;
}

static struct timespec in(clockid_t clock, long milliseconds)
{
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

#endif
