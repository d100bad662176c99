/* What the models need of POSIX threads. A mutex is 0 or the number of its owner plus one, a semaphore its value. Of a
 * condition variable there is only whether somebody sleeps on it: it may have one waiter at a time. A process ends by
 * setting its bit in `ended`, for those that join it. */

#define mutex byte
#define sem byte
#define cond bool

bool ended[8];

inline mutex_lock(m) { atomic { m == 0 -> m = _pid + 1 } }
inline mutex_unlock(m) { m = 0 }
inline sem_wait(s) { atomic { s > 0 -> s-- } }
inline sem_post(s) { s++ }
inline cond_wait(c, m) { atomic { m = 0; c = true }; atomic { !c && m == 0 -> m = _pid + 1 } }
inline cond_signal(c) { c = false }
inline end() { ended[_pid] = true }
inline join(t) { ended[t] }
