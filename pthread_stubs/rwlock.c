/* Read-write locks (POSIX.1-2017, pthread_rwlock_rdlock, pthread_rwlock_wrlock).
 *
 * State: 1 is ready, 2 destroyed, anything else was never initialised. The writer is a thread's number plus one.
 * A thread may hold several read locks: bit k of the three sets of readers gives, in binary, how many read locks
 * thread k holds, 7 at most. Readers do not wait for a waiting writer.
 * That is what glibc does for PTHREAD_RWLOCK_PREFER_READER_NP and PTHREAD_RWLOCK_PREFER_WRITER_NP, which it treats alike.
 *
 * Where locks may be of the kind 2, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, calls become calls of the functions
 * at the end (modules/library/linking.py), which do what glibc does. There a reader waits for all writers that have
 * arrived, which are the set `waiting`. A writer arrives in one step and gets the lock in another one. If it arrives
 * while there are only readers, it is the `next` (a thread's number plus one), and no other writer gets the lock before
 * it; what it found free is its own from then on. After a writer, any writer that waits may be the one that follows. */

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr) {
    attr->__cs_pshared = 0;
    attr->__cs_kind = 0;
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr) {
    return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int pshared) {
    if (pshared != 0 && pshared != 1)
        return __CSEQ_EINVAL;
    attr->__cs_pshared = pshared;
    return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attr, int *pshared) {
    *pshared = attr->__cs_pshared;
    return 0;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind) {
    if (kind < 0 || kind > 2)
        return __CSEQ_EINVAL;
    attr->__cs_kind = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attr, int *kind) {
    *kind = attr->__cs_kind;
    return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr) {
    __CSEQ_fail_unless(__cs_watched != lock || lock->__cs_state != 1, LOCK, INITIALISED);
    __cs_watch(lock);
    lock->__cs_state = 1;
    lock->__cs_writer = 0;
    lock->__cs_readers = 0;
    lock->__cs_readers_2 = 0;
    lock->__cs_readers_4 = 0;
    return 0;
}

int __cs_rwlock_is_free(const pthread_rwlock_t *lock) {
    return lock->__cs_writer == 0 && (lock->__cs_readers | lock->__cs_readers_2 | lock->__cs_readers_4) == 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED_TWICE);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    __CSEQ_fail_unless(__cs_rwlock_is_free(lock), LOCK, IN_USE);
    lock->__cs_state = 2;
    return 0;
}

int __cs_rwlock_read(pthread_rwlock_t *lock) {
    __cs_threads_t me = 1ULL << __CSEQ_thread;
    if ((lock->__cs_readers & lock->__cs_readers_2 & lock->__cs_readers_4 & me) != 0)
        return __CSEQ_EAGAIN;
    lock->__cs_readers_4 ^= lock->__cs_readers_2 & lock->__cs_readers & me;
    lock->__cs_readers_2 ^= lock->__cs_readers & me;
    lock->__cs_readers ^= me;
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    if (lock->__cs_writer == __CSEQ_thread + 1)
        return __CSEQ_EDEADLK;
    __CSEQ_wait_for(lock->__cs_writer == 0, 1ULL << (lock->__cs_writer - 1));
    return __cs_rwlock_read(lock);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    if (lock->__cs_writer != 0)
        return __CSEQ_EBUSY;
    return __cs_rwlock_read(lock);
}

int __cs_rwlock_timedread(pthread_rwlock_t *lock, const struct timespec *time) {
    if (lock->__cs_writer == __CSEQ_thread + 1)
        return __CSEQ_EDEADLK;
    int error = __cs_deadline(lock->__cs_writer == 0, time);
    if (error != 0)
        return error;
    __CSEQ_wait(lock->__cs_writer == 0);
    return __cs_rwlock_read(lock);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    return __cs_rwlock_timedread(lock, time);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, int clock, const struct timespec *time) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    if (clock != 0 && clock != 1)
        return __CSEQ_EINVAL;
    return __cs_rwlock_timedread(lock, time);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    if (lock->__cs_writer == __CSEQ_thread + 1)
        return __CSEQ_EDEADLK;
    __CSEQ_wait_for(__cs_rwlock_is_free(lock), lock->__cs_writer != 0 ? 1ULL << (lock->__cs_writer - 1) : lock->__cs_readers | lock->__cs_readers_2 | lock->__cs_readers_4);
    lock->__cs_writer = __CSEQ_thread + 1;
    return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    if (!__cs_rwlock_is_free(lock))
        return __CSEQ_EBUSY;
    lock->__cs_writer = __CSEQ_thread + 1;
    return 0;
}

int __cs_rwlock_timedwrite(pthread_rwlock_t *lock, const struct timespec *time) {
    if (lock->__cs_writer == __CSEQ_thread + 1)
        return __CSEQ_EDEADLK;
    int error = __cs_deadline(__cs_rwlock_is_free(lock), time);
    if (error != 0)
        return error;
    __CSEQ_wait(__cs_rwlock_is_free(lock));
    lock->__cs_writer = __CSEQ_thread + 1;
    return 0;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    return __cs_rwlock_timedwrite(lock, time);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, int clock, const struct timespec *time) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    if (clock != 0 && clock != 1)
        return __CSEQ_EINVAL;
    return __cs_rwlock_timedwrite(lock, time);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    if (lock->__cs_writer == __CSEQ_thread + 1) {
        lock->__cs_writer = 0;
        return 0;
    }
    __cs_threads_t me = 1ULL << __CSEQ_thread;
    __cs_threads_t reads = (lock->__cs_readers | lock->__cs_readers_2 | lock->__cs_readers_4) & me;
    __CSEQ_fail_unless(reads != 0, LOCK, NOT_HELD);
    lock->__cs_readers ^= me;
    lock->__cs_readers_2 ^= lock->__cs_readers & me;
    lock->__cs_readers_4 ^= lock->__cs_readers_2 & lock->__cs_readers & me;
    return 0;
}

int pthread_rwlock_init__cs8(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr) {
    int error = pthread_rwlock_init(lock, attr);
    lock->__cs_kind = attr != 0 ? attr->__cs_kind : 0;
    lock->__cs_waiting = 0;
    lock->__cs_next = 0;
    return error;
}

int pthread_rwlock_destroy__cs8(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_waiting == 0, LOCK, IN_USE);
    return pthread_rwlock_destroy(lock);
}

int __cs_rwlock_may_read(const pthread_rwlock_t *lock) {
    return lock->__cs_writer == 0 && lock->__cs_waiting == 0;
}

int pthread_rwlock_rdlock__cs8(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    if (lock->__cs_writer == __CSEQ_thread + 1)
        return __CSEQ_EDEADLK;
    __CSEQ_wait_for(__cs_rwlock_may_read(lock), lock->__cs_writer != 0 ? lock->__cs_waiting | 1ULL << (lock->__cs_writer - 1) : lock->__cs_waiting);
    return __cs_rwlock_read(lock);
}

int pthread_rwlock_tryrdlock__cs8(pthread_rwlock_t *lock) {
    return lock->__cs_waiting != 0 ? __CSEQ_EBUSY : pthread_rwlock_tryrdlock(lock);
}

int __cs_rwlock_timedread__cs8(pthread_rwlock_t *lock, const struct timespec *time) {
    if (lock->__cs_writer == __CSEQ_thread + 1)
        return __CSEQ_EDEADLK;
    int error = __cs_deadline(__cs_rwlock_may_read(lock), time);
    if (error != 0)
        return error;
    __CSEQ_wait(__cs_rwlock_may_read(lock));
    return __cs_rwlock_read(lock);
}

int pthread_rwlock_timedrdlock__cs8(pthread_rwlock_t *lock, const struct timespec *time) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    return __cs_rwlock_timedread__cs8(lock, time);
}

int pthread_rwlock_clockrdlock__cs8(pthread_rwlock_t *lock, int clock, const struct timespec *time) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED);
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED);
    if (clock != 0 && clock != 1)
        return __CSEQ_EINVAL;
    return __cs_rwlock_timedread__cs8(lock, time);
}

void __cs_step_rwlock_arrive(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED, "pthread_rwlock_wrlock");
    __CSEQ_fail_unless((lock->__cs_state | __CSEQ_ZEROED) == 1, LOCK, UNINITIALISED, "pthread_rwlock_wrlock");
    if (lock->__cs_kind == 2 && lock->__cs_writer != __CSEQ_thread + 1) {
        if (__cs_rwlock_may_read(lock))
            lock->__cs_next = __CSEQ_thread + 1;
        lock->__cs_waiting |= 1ULL << __CSEQ_thread;
    }
}

int __cs_step_rwlock_write(pthread_rwlock_t *lock) {
    __CSEQ_fail_unless(lock->__cs_state != 2, LOCK, DESTROYED, "pthread_rwlock_wrlock");
    if (lock->__cs_writer == __CSEQ_thread + 1)
        return __CSEQ_EDEADLK;
    __CSEQ_wait_for(__cs_rwlock_is_free(lock), lock->__cs_writer != 0 ? 1ULL << (lock->__cs_writer - 1) : lock->__cs_readers | lock->__cs_readers_2 | lock->__cs_readers_4);
    __CSEQ_wait_for(lock->__cs_next == 0 || lock->__cs_next == __CSEQ_thread + 1, 1ULL << (lock->__cs_next - 1));
    if (lock->__cs_kind == 2)
        lock->__cs_waiting &= ~(1ULL << __CSEQ_thread);
    lock->__cs_next = 0;
    lock->__cs_writer = __CSEQ_thread + 1;
    return 0;
}

int pthread_rwlock_wrlock__cs8(pthread_rwlock_t *lock) {
    __cs_step_rwlock_arrive(lock);
    return __cs_step_rwlock_write(lock);
}

int pthread_rwlock_trywrlock__cs8(pthread_rwlock_t *lock) {
    return lock->__cs_waiting != 0 ? __CSEQ_EBUSY : pthread_rwlock_trywrlock(lock);
}

int pthread_rwlock_timedwrlock__cs8(pthread_rwlock_t *lock, const struct timespec *time) {
    __CSEQ_unwound(lock->__cs_kind != 2, WRITERS_FIRST);
    return pthread_rwlock_timedwrlock(lock, time);
}

int pthread_rwlock_clockwrlock__cs8(pthread_rwlock_t *lock, int clock, const struct timespec *time) {
    __CSEQ_unwound(lock->__cs_kind != 2, WRITERS_FIRST);
    return pthread_rwlock_clockwrlock(lock, clock, time);
}
