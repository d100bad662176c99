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

int mtx_init(mtx_t *mutex, int type);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *time);
int mtx_unlock(mtx_t *mutex);
int cnd_init(cnd_t *cond);
void cnd_destroy(cnd_t *cond);
int cnd_wait(cnd_t *cond, mtx_t *mutex);
int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *time);
int cnd_signal(cnd_t *cond);
int cnd_broadcast(cnd_t *cond);
int thrd_create(thrd_t *thread, thrd_start_t start, void *arg);
int thrd_equal(thrd_t a, thrd_t b);
thrd_t thrd_current(void);
void thrd_exit(int result);
int thrd_detach(thrd_t thread);
int thrd_join(thrd_t thread, int *result);
void thrd_yield(void);
int thrd_sleep(const struct timespec *time, struct timespec *rest);
void call_once(once_flag *once, void (*routine)(void));
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);

#endif
