#ifndef _CSEQ_PTHREAD_H
#define _CSEQ_PTHREAD_H

#include <sched.h>
#include <stddef.h>
#include <time.h>

typedef unsigned int pthread_t;
typedef unsigned long long __cs_threads_t; /* a set of threads: bit k for thread k */
typedef struct {
  unsigned char __cs_state; unsigned char __cs_detached; unsigned char __cs_inherits; unsigned char __cs_policy;
  int __cs_priority; size_t __cs_stack_size; size_t __cs_guard_size; void *__cs_stack;
} pthread_attr_t;
typedef struct { unsigned char __cs_type; unsigned char __cs_pshared; unsigned char __cs_protocol; unsigned char __cs_ceiling; unsigned char __cs_robust; } pthread_mutexattr_t;
typedef struct { unsigned char __cs_state; unsigned char __cs_type; unsigned short __cs_owner; unsigned short __cs_count; unsigned char __cs_timed; unsigned char __cs_protocol; } pthread_mutex_t;
typedef struct { unsigned char __cs_pshared; unsigned char __cs_clock; } pthread_condattr_t;
typedef struct { unsigned char __cs_state; __cs_threads_t __cs_waiting; pthread_mutex_t *__cs_mutex; __cs_threads_t __cs_idle; } pthread_cond_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
typedef struct { unsigned char __cs_pshared; unsigned char __cs_kind; } pthread_rwlockattr_t;
typedef struct { unsigned char __cs_state; unsigned short __cs_writer; __cs_threads_t __cs_readers; __cs_threads_t __cs_readers_2; __cs_threads_t __cs_readers_4; __cs_threads_t __cs_waiting; unsigned short __cs_next; unsigned char __cs_kind; } pthread_rwlock_t;
typedef struct { unsigned char __cs_state; unsigned short __cs_owner; } pthread_spinlock_t;
typedef struct { unsigned char __cs_pshared; } pthread_barrierattr_t;
typedef struct { unsigned char __cs_state; unsigned int __cs_count; unsigned int __cs_arrived; __cs_threads_t __cs_waiting; } pthread_barrier_t;

#define PTHREAD_ONCE_INIT 0
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_STACK_MIN 16384
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *) -1)
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define PTHREAD_KEYS_MAX 1024
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_ADAPTIVE_NP 3
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1

#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)

#define PTHREAD_MUTEX_INITIALIZER { 1, PTHREAD_MUTEX_DEFAULT, 0, 0 }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP { 1, PTHREAD_MUTEX_RECURSIVE, 0, 0 }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP { 1, PTHREAD_MUTEX_ERRORCHECK, 0, 0 }
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_COND_INITIALIZER { 1, 0 }
#define PTHREAD_RWLOCK_INITIALIZER { 1, 0, 0, 0, 0, 0, 0, 0 }
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP { 1, 0, 0, 0, 0, 0, 0, __cs_prefers_writers }
enum { __cs_prefers_writers = 2 };
#define PTHREAD_RWLOCK_PREFER_READER_NP 0
#define PTHREAD_RWLOCK_PREFER_WRITER_NP 1
#define PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP 2
#define PTHREAD_RWLOCK_DEFAULT_NP PTHREAD_RWLOCK_PREFER_READER_NP

int pthread_create(pthread_t *__id, const pthread_attr_t *__attr, void *(*__start)(void *), void *__arg);
int pthread_join(pthread_t __id, void **__result);
void pthread_exit(void *__result);
pthread_t pthread_self(void);
int pthread_equal(pthread_t __a, pthread_t __b);
int pthread_detach(pthread_t __id);
int pthread_attr_init(pthread_attr_t *__attr);
int pthread_attr_destroy(pthread_attr_t *__attr);
int pthread_attr_setdetachstate(pthread_attr_t *__attr, int __state);
int pthread_attr_getdetachstate(const pthread_attr_t *__attr, int *__state);
int pthread_attr_setinheritsched(pthread_attr_t *__attr, int __inherits);
int pthread_attr_getinheritsched(const pthread_attr_t *__attr, int *__inherits);
int pthread_attr_setschedpolicy(pthread_attr_t *__attr, int __policy);
int pthread_attr_getschedpolicy(const pthread_attr_t *__attr, int *__policy);
int pthread_attr_setschedparam(pthread_attr_t *__attr, const struct sched_param *__param);
int pthread_attr_getschedparam(const pthread_attr_t *__attr, struct sched_param *__param);
int pthread_attr_setscope(pthread_attr_t *__attr, int __scope);
int pthread_attr_getscope(const pthread_attr_t *__attr, int *__scope);
int pthread_attr_setguardsize(pthread_attr_t *__attr, size_t __size);
int pthread_attr_getguardsize(const pthread_attr_t *__attr, size_t *__size);
int pthread_attr_setstacksize(pthread_attr_t *__attr, size_t __size);
int pthread_attr_getstacksize(const pthread_attr_t *__attr, size_t *__size);
int pthread_attr_setstackaddr(pthread_attr_t *__attr, void *__stack);
int pthread_attr_getstackaddr(const pthread_attr_t *__attr, void **__stack);
int pthread_attr_setstack(pthread_attr_t *__attr, void *__stack, size_t __size);
int pthread_attr_getstack(const pthread_attr_t *__attr, void **__stack, size_t *__size);

int pthread_tryjoin_np(pthread_t __id, void **__result);
int pthread_timedjoin_np(pthread_t __id, void **__result, const struct timespec *__time);
int pthread_getattr_np(pthread_t __id, pthread_attr_t *__attr);
int pthread_setname_np(pthread_t __id, const char *__name);
int pthread_setschedparam(pthread_t __id, int __policy, const struct sched_param *__param);
int pthread_setschedprio(pthread_t __id, int __priority);
int pthread_setconcurrency(int __level);
int pthread_getconcurrency(void);
int pthread_getschedparam(pthread_t __id, int *__policy, struct sched_param *__param);
int pthread_setaffinity_np(pthread_t __id, size_t __size, const cpu_set_t *__set);
int pthread_atfork(void (*__prepare)(void), void (*__parent)(void), void (*__child)(void));
int pthread_kill(pthread_t __id, int __signal);

int pthread_once(pthread_once_t *__once, void (*__routine)(void));

int pthread_cancel(pthread_t __id);
int pthread_setcancelstate(int __state, int *__old);
int pthread_setcanceltype(int __type, int *__old);
void pthread_testcancel(void);
void __cs_cleanup_push(void (*__routine)(void *), void *__arg);
void __cs_cleanup_pop(int __execute);
#define pthread_cleanup_push(routine, arg) { __cs_cleanup_push(routine, arg);
#define pthread_cleanup_pop(execute) __cs_cleanup_pop(execute); }

int pthread_key_create(pthread_key_t *__key, void (*__destructor)(void *));
int pthread_key_delete(pthread_key_t __key);
void *pthread_getspecific(pthread_key_t __key);
int pthread_setspecific(pthread_key_t __key, const void *__value);

int pthread_mutexattr_init(pthread_mutexattr_t *__attr);
int pthread_mutexattr_destroy(pthread_mutexattr_t *__attr);
int pthread_mutexattr_settype(pthread_mutexattr_t *__attr, int __type);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *__attr, int *__type);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *__attr, int __pshared);
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *__attr, int *__pshared);
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *__attr, int __protocol);
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *__attr, int *__protocol);
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *__attr, int __ceiling);
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *__attr, int *__ceiling);
int pthread_mutexattr_setrobust(pthread_mutexattr_t *__attr, int __robust);
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *__attr, int *__robust);
#define PTHREAD_MUTEX_STALLED_NP PTHREAD_MUTEX_STALLED
#define PTHREAD_MUTEX_ROBUST_NP PTHREAD_MUTEX_ROBUST
#define pthread_mutexattr_setrobust_np pthread_mutexattr_setrobust
#define pthread_mutexattr_getrobust_np pthread_mutexattr_getrobust
#define pthread_mutex_consistent_np pthread_mutex_consistent
int pthread_mutex_init(pthread_mutex_t *__mutex, const pthread_mutexattr_t *__attr);
int pthread_mutex_destroy(pthread_mutex_t *__mutex);
int pthread_mutex_lock(pthread_mutex_t *__mutex);
int pthread_mutex_trylock(pthread_mutex_t *__mutex);
int pthread_mutex_timedlock(pthread_mutex_t *__mutex, const struct timespec *__time);
int pthread_mutex_clocklock(pthread_mutex_t *__mutex, clockid_t __clock, const struct timespec *__time);
int pthread_mutex_unlock(pthread_mutex_t *__mutex);
int pthread_mutex_consistent(pthread_mutex_t *__mutex);
int pthread_mutex_setprioceiling(pthread_mutex_t *__mutex, int __ceiling, int *__old);
int pthread_mutex_getprioceiling(const pthread_mutex_t *__mutex, int *__ceiling);

int pthread_condattr_init(pthread_condattr_t *__attr);
int pthread_condattr_destroy(pthread_condattr_t *__attr);
int pthread_condattr_setpshared(pthread_condattr_t *__attr, int __pshared);
int pthread_condattr_getpshared(const pthread_condattr_t *__attr, int *__pshared);
int pthread_condattr_setclock(pthread_condattr_t *__attr, clockid_t __clock);
int pthread_condattr_getclock(const pthread_condattr_t *__attr, clockid_t *__clock);

int pthread_cond_init(pthread_cond_t *__cond, const pthread_condattr_t *__attr);
int pthread_cond_destroy(pthread_cond_t *__cond);
int pthread_cond_wait(pthread_cond_t *__cond, pthread_mutex_t *__mutex);
int pthread_cond_timedwait(pthread_cond_t *__cond, pthread_mutex_t *__mutex, const struct timespec *__time);
int pthread_cond_clockwait(pthread_cond_t *__cond, pthread_mutex_t *__mutex, clockid_t __clock, const struct timespec *__time);
int pthread_cond_signal(pthread_cond_t *__cond);
int pthread_cond_broadcast(pthread_cond_t *__cond);

int pthread_rwlockattr_init(pthread_rwlockattr_t *__attr);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *__attr);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *__attr, int __pshared);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *__attr, int *__pshared);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *__attr, int __kind);
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *__attr, int *__kind);
int pthread_rwlock_init(pthread_rwlock_t *__lock, const pthread_rwlockattr_t *__attr);
int pthread_rwlock_destroy(pthread_rwlock_t *__lock);
int pthread_rwlock_rdlock(pthread_rwlock_t *__lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *__lock);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *__lock, const struct timespec *__time);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *__lock, clockid_t __clock, const struct timespec *__time);
int pthread_rwlock_wrlock(pthread_rwlock_t *__lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *__lock);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *__lock, const struct timespec *__time);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *__lock, clockid_t __clock, const struct timespec *__time);
int pthread_rwlock_unlock(pthread_rwlock_t *__lock);

int pthread_spin_init(pthread_spinlock_t *__lock, int __pshared);
int pthread_spin_destroy(pthread_spinlock_t *__lock);
int pthread_spin_lock(pthread_spinlock_t *__lock);
int pthread_spin_trylock(pthread_spinlock_t *__lock);
int pthread_spin_unlock(pthread_spinlock_t *__lock);

int pthread_barrierattr_init(pthread_barrierattr_t *__attr);
int pthread_barrierattr_destroy(pthread_barrierattr_t *__attr);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *__attr, int __pshared);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *__attr, int *__pshared);
int pthread_barrier_init(pthread_barrier_t *__barrier, const pthread_barrierattr_t *__attr, unsigned int __count);
int pthread_barrier_destroy(pthread_barrier_t *__barrier);
int pthread_barrier_wait(pthread_barrier_t *__barrier);

int pthread_yield(void);

#endif
