#ifndef _CSEQ_THREADS_H
#define _CSEQ_THREADS_H

#include <pthread.h>

#ifndef thread_local
#define thread_local _Thread_local
#endif

typedef pthread_t thrd_t;
typedef int (*thrd_start_t)(void *);
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef pthread_once_t once_flag;
typedef pthread_key_t tss_t;
typedef void (*tss_dtor_t)(void *);

#define TSS_DTOR_ITERATIONS 4
#define ONCE_FLAG_INIT 0

enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };

enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

int mtx_init(mtx_t *__mutex, int __type);
void mtx_destroy(mtx_t *__mutex);
int mtx_lock(mtx_t *__mutex);
int mtx_trylock(mtx_t *__mutex);
int mtx_timedlock(mtx_t *__mutex, const struct timespec *__time);
int mtx_unlock(mtx_t *__mutex);
int cnd_init(cnd_t *__cond);
void cnd_destroy(cnd_t *__cond);
int cnd_wait(cnd_t *__cond, mtx_t *__mutex);
int cnd_timedwait(cnd_t *__cond, mtx_t *__mutex, const struct timespec *__time);
int cnd_signal(cnd_t *__cond);
int cnd_broadcast(cnd_t *__cond);
int thrd_create(thrd_t *__id, thrd_start_t __start, void *__arg);
int thrd_equal(thrd_t __a, thrd_t __b);
thrd_t thrd_current(void);
void thrd_exit(int __result);
int thrd_detach(thrd_t __id);
int thrd_join(thrd_t __id, int *__result);
void thrd_yield(void);
int thrd_sleep(const struct timespec *__time, struct timespec *__rest);
void call_once(once_flag *__once, void (*__routine)(void));
int tss_create(tss_t *__key, tss_dtor_t __destructor);
void tss_delete(tss_t __key);
void *tss_get(tss_t __key);
int tss_set(tss_t __key, void *__value);

#endif
