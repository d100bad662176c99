/* What the parts that stand in for the thread library share.
 *
 * A part that stands in for a function of the thread library looks like this:
 *
 *     int pthread_mutex_lock(pthread_mutex_t *mutex) {
 *         CS_ENTER(self, CS_REAL(pthread_mutex_lock)(mutex));   // not ours to schedule: the real function
 *         struct cs_object *object = cs_object(CS_KIND_MUTEX, mutex);
 *         cs_block(CS_lock, mutex, 0, is_free, object, CS_NEVER);   // others run; back when it is free and our turn
 *         object->owner = self;
 *         cs_acquire(self, &object->clock);
 *         return cs_leave(self, 0);
 *     }
 */
#ifndef CSEQ_SYNC_H
#define CSEQ_SYNC_H

#include "objects.h"
#include "races.h"
#include "system.h"

/* The states of an object: `state` of struct cs_object. What memory holds decides whether a destroyed object has been
 * made again, as static initialisers call no function. */
enum cs_state { CS_UNSEEN, CS_ALIVE, CS_DESTROYED };

/* ---- primitives.c ---- */

/* The thread touches an object: freed memory and data races with plain accesses are looked for. */
void cs_touch(struct cs_thread *self, const void *object, enum cs_access_kind kind);

/* The run ends with misuse of an object. */
_Noreturn void cs_misuse(enum cs_misuse misuse, const void *object);

/* A new object at the place of an old one. */
void cs_renew(struct cs_object *object);

/* The last entry is about another operation than the one that was announced. */
void cs_rename(struct cs_thread *self, enum cs_op op);

/* Complete the last entry and leave: what the call returns is `error`. */
int cs_result(struct cs_thread *self, int error);

/* The same for functions that return -1 and set errno. */
int cs_result_errno(struct cs_thread *self, int error);

/* Whether something that may fail for no reason does so in this run. */
bool cs_spurious(void);

/* ---- mutexes.c ---- */

/* The mutex at an address, of which the thread is about to announce an operation. */
struct cs_object *cs_mutex_seen(pthread_mutex_t *mutex);

/* The same when the operation is executed: ends the run if the mutex has been destroyed. */
struct cs_object *cs_mutex_entered(struct cs_thread *self, pthread_mutex_t *mutex);

/* Whether an operation on it would block; of type cs_ready. */
bool cs_mutex_available(struct cs_thread *self, void *object);

/* Take a mutex that is available, and give it back: 0 or an error. */
int cs_mutex_take(struct cs_thread *self, struct cs_object *object);
int cs_mutex_give(struct cs_thread *self, struct cs_object *object, enum cs_misuse misuse);

/* lock, trylock and timed locks as a whole, unlock, and so on, between CS_ENTER and cs_leave. */
int cs_mutex_lock(struct cs_thread *self, pthread_mutex_t *mutex);
int cs_mutex_try(struct cs_thread *self, pthread_mutex_t *mutex, bool spurious);
int cs_mutex_timed(struct cs_thread *self, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time);
int cs_mutex_unlock(struct cs_thread *self, pthread_mutex_t *mutex);
int cs_mutex_destroy(struct cs_thread *self, pthread_mutex_t *mutex);

/* The robust mutexes that a thread held when it ended. */
void cs_mutexes_abandoned(struct cs_thread *self);

/* ---- conditions.c ---- */

int cs_condition_init(struct cs_thread *self, pthread_cond_t *condition, const pthread_condattr_t *attributes);
int cs_condition_wait(struct cs_thread *self, pthread_cond_t *condition, pthread_mutex_t *mutex);
int cs_condition_timed(struct cs_thread *self, pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                       const struct timespec *time);
int cs_condition_signal(struct cs_thread *self, pthread_cond_t *condition);
int cs_condition_broadcast(struct cs_thread *self, pthread_cond_t *condition);
int cs_condition_destroy(struct cs_thread *self, pthread_cond_t *condition);

/* ---- once.c, threads.c ---- */

int cs_once(struct cs_thread *self, int *control, void (*routine)(void));
int cs_create(struct cs_thread *self, pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
              void *argument, void *described);
int cs_join(struct cs_thread *self, pthread_t handle, void **result, enum cs_op op, uint64_t deadline);
int cs_detach(struct cs_thread *self, pthread_t handle);
/* What pthread_exit needs is loaded once for all runs: a thread that loads it in a run holds a lock of libc. */
void cs_prepare_threads(void);
void cs_begin_threads(void);

#endif
