/* The thread library. Only functions that would wait, during a turn, for other threads, for time or for a cancellation
 * need a replacement. The program calls it under its usual NAME, since `#define NAME cseq_for_NAME` precedes it. */
#define CSEQ_FOR(name) __asm__("cseq_for_" #name)

CSEQ_UNSEEN static void *cseq_start(void *self)
{
    char name[16];
    int length = 0;
    cseq_self = self;
    cseq_self->task = (int) cseq_syscall(__NR_gettid);
    for (const char *c = cseq_plan.names[cseq_self - cseq_threads]; *c && *c != ' ' && length < 15; c++)
        name[length++] = *c;
    name[length] = 0;
    cseq_syscall(__NR_prctl, 15 /* PR_SET_NAME */, name);
    cseq_real_setspecific(cseq_key, self);
    cseq_wait();
    return cseq_self->start ? cseq_self->start(cseq_self->argument) : (void *) (long) cseq_self->start_c11(cseq_self->argument);
}

CSEQ_UNSEEN static int cseq_create(unsigned long *handle, const void *attributes, struct cseq_thread *created)
{
    if (cseq_real_create(&created->handle, attributes, cseq_start, created) != 0)
        cseq_depart("a thread cannot be created", "");
    *handle = created->handle;
    if (cseq_created == CSEQ_THREADS)
        cseq_start_watch();
    return 0;
}

CSEQ_UNSEEN static struct cseq_thread *cseq_new_thread(void)
{
    if (cseq_created == CSEQ_THREADS)
        cseq_depart("it creates one more thread", "");
    return &cseq_threads[cseq_created++];
}

int cseq_my_create(unsigned long *, const void *, void *(*)(void *), void *) CSEQ_FOR(pthread_create);
int cseq_my_create(unsigned long *handle, const void *attributes, void *(*start)(void *), void *argument)
{
    struct cseq_thread *created = cseq_new_thread();
    created->start = start;
    created->argument = argument;
    return cseq_create(handle, attributes, created);
}

int cseq_my_thrd_create(unsigned long *, int (*)(void *), void *) CSEQ_FOR(thrd_create);
int cseq_my_thrd_create(unsigned long *handle, int (*start)(void *), void *argument)
{
    struct cseq_thread *created = cseq_new_thread();
    created->start_c11 = start;
    created->argument = argument;
    return cseq_create(handle, 0, created);
}

/* The newest thread with this handle: handles of ended threads are used again. */
static struct cseq_thread *cseq_thread_of(unsigned long handle)
{
    int i = cseq_created - 1;
    while (i > 0 && cseq_threads[i].handle != handle)
        i--;
    return &cseq_threads[i];
}

/* Cancellation. A cancelled thread ends in its turn, at a cancellation point, unless the table says that it goes on
 * there because what it waited for has come as well. */
void cseq_real_exit(void *) CSEQ_REAL(pthread_exit) CSEQ_NORETURN;
static __thread int cseq_uncancellable, cseq_goes_on;
static void cseq_test_again(void)
{
    if (!cseq_self->cancelled || cseq_uncancellable || cseq_goes_on)
        return;
    cseq_uncancellable = 1;
    cseq_real_exit((void *) -1 /* PTHREAD_CANCELED */);
}

static void cseq_test_cancel(void)
{
    static __thread int calls;
    cseq_goes_on = cseq_given(CSEQ_GOES_ON, ++calls) != 0;
    cseq_test_again();
}

int cseq_my_cancel(unsigned long) CSEQ_FOR(pthread_cancel);
int cseq_my_cancel(unsigned long handle)
{
    cseq_thread_of(handle)->cancelled = 1;
    return 0;
}

int cseq_real_setcancelstate(int, int *) CSEQ_REAL(pthread_setcancelstate);
int cseq_my_setcancelstate(int, int *) CSEQ_FOR(pthread_setcancelstate);
int cseq_my_setcancelstate(int state, int *old)
{
    int error = cseq_real_setcancelstate(state, old);
    if (error == 0)
        cseq_uncancellable = state;
    return error;
}

void cseq_my_testcancel(void) CSEQ_FOR(pthread_testcancel);
void cseq_my_testcancel(void)
{
    cseq_test_cancel();
}

int cseq_real_pause(void) CSEQ_REAL(pause);
int cseq_my_pause(void) CSEQ_FOR(pause);
int cseq_my_pause(void)
{
    cseq_test_cancel();
    cseq_stray("it pauses");
    return cseq_real_pause();
}

/* A thread that is blocked for ever. */
CSEQ_UNSEEN static void cseq_block(void)
{
    if (cseq_is_over())
        cseq_wait();
}

/* Where POSIX leaves open whether a join blocks for ever or fails, it blocks. */
int cseq_real_join(unsigned long, void **) CSEQ_REAL(pthread_join);
int cseq_my_join(unsigned long, void **) CSEQ_FOR(pthread_join);
int cseq_my_join(unsigned long handle, void **result)
{
    int error;
    cseq_test_cancel();
    error = cseq_real_join(handle, result);
    if (error == 35 /* EDEADLK */)
        cseq_block();
    return error;
}

int cseq_real_thrd_join(unsigned long, int *) CSEQ_REAL(thrd_join);
int cseq_my_thrd_join(unsigned long, int *) CSEQ_FOR(thrd_join);
int cseq_my_thrd_join(unsigned long handle, int *result)
{
    int error = cseq_real_thrd_join(handle, result);
    if (error != 0)
        cseq_block();
    return error;
}

int cseq_real_tryjoin(unsigned long, void **) CSEQ_REAL(pthread_tryjoin_np);
int cseq_my_tryjoin(unsigned long, void **) CSEQ_FOR(pthread_tryjoin_np);
int cseq_my_tryjoin(unsigned long handle, void **result)
{
    return cseq_thread_of(handle)->ended ? cseq_real_join(handle, result) : 16 /* EBUSY */;
}

/* The real call, with other arguments, or after something else. */
#define CSEQ_INSTEAD(type, name, parameters, arguments) \
    type cseq_real_##name parameters CSEQ_REAL(name); \
    type cseq_my_##name parameters CSEQ_FOR(name); \
    type cseq_my_##name parameters \
    { \
        return cseq_real_##name arguments; \
    }

/* All times have already passed; an invalid time stays invalid. */
static int cseq_is_time(const long *time)
{
    return time[1] >= 0 && time[1] <= 999999999;
}

static __thread long cseq_times[2];
static const long *cseq_passed(const long *time)
{
    cseq_times[0] = time[0] < 0 ? -1 : 0;
    cseq_times[1] = cseq_is_time(time) ? 0 : time[1];
    return cseq_times;
}

CSEQ_INSTEAD(int, pthread_mutex_timedlock, (void *mutex, const long *time), (mutex, cseq_passed(time)))

CSEQ_INSTEAD(int, pthread_mutex_clocklock, (void *mutex, int clock, const long *time), (mutex, clock, cseq_passed(time)))

CSEQ_INSTEAD(int, mtx_timedlock, (void *mutex, const long *time), (mutex, cseq_passed(time)))

CSEQ_INSTEAD(int, pthread_rwlock_timedrdlock, (void *lock, const long *time), (lock, cseq_passed(time)))

CSEQ_INSTEAD(int, pthread_rwlock_timedwrlock, (void *lock, const long *time), (lock, cseq_passed(time)))

CSEQ_INSTEAD(int, pthread_rwlock_clockrdlock, (void *lock, int clock, const long *time), (lock, clock, cseq_passed(time)))

CSEQ_INSTEAD(int, pthread_rwlock_clockwrlock, (void *lock, int clock, const long *time), (lock, clock, cseq_passed(time)))

CSEQ_INSTEAD(int, sem_timedwait, (void *semaphore, const long *time), ((cseq_test_cancel(), semaphore), cseq_passed(time)))

CSEQ_INSTEAD(int, sem_clockwait, (void *semaphore, int clock, const long *time), ((cseq_test_cancel(), semaphore), clock, cseq_passed(time)))

CSEQ_INSTEAD(int, sem_wait, (void *semaphore), ((cseq_test_cancel(), semaphore)))

CSEQ_INSTEAD(unsigned, sleep, (unsigned seconds), ((cseq_test_cancel(), seconds * 0)))

CSEQ_INSTEAD(int, usleep, (unsigned microseconds), ((cseq_test_cancel(), microseconds * 0)))

CSEQ_INSTEAD(int, nanosleep, (const long *time, void *rest), ((cseq_test_cancel(), cseq_passed(time)), rest))

CSEQ_INSTEAD(int, clock_nanosleep, (int clock, int flags, const long *time, void *rest),
             ((cseq_test_cancel(), clock), flags, cseq_passed(time), rest))

CSEQ_INSTEAD(int, thrd_sleep, (const long *time, void *rest), (cseq_passed(time), rest))

int cseq_my_timedjoin(unsigned long, void **, const long *) CSEQ_FOR(pthread_timedjoin_np);
int cseq_my_timedjoin(unsigned long handle, void **result, const long *time)
{
    cseq_test_cancel();
    if (!cseq_is_time(time))
        return 22 /* EINVAL */;
    return cseq_thread_of(handle)->ended ? cseq_real_join(handle, result) : 110 /* ETIMEDOUT */;
}

/* The thread sleeps in a call, and other threads may run. The table has the result of the call. */
CSEQ_UNSEEN static int cseq_pause(void)
{
    static __thread int pauses;
    const unsigned long long *result;
    cseq_reach(CSEQ_PAUSE, ++pauses, 0);
    result = cseq_given(CSEQ_PAUSE, pauses);
    return result ? (int) *result : 0;
}

/* Pauses after the routine has run, when other threads do not know that yet. */
static __thread void (*cseq_routine)(void);
static void cseq_run_routine(void)
{
    cseq_routine();
    cseq_pause();
}

int cseq_real_once(void *, void (*)(void)) CSEQ_REAL(pthread_once);
int cseq_my_once(void *, void (*)(void)) CSEQ_FOR(pthread_once);
int cseq_my_once(void *once, void (*routine)(void))
{
    cseq_routine = routine;
    return cseq_real_once(once, cseq_run_routine);
}

void cseq_real_call_once(void *, void (*)(void)) CSEQ_REAL(call_once);
void cseq_my_call_once(void *, void (*)(void)) CSEQ_FOR(call_once);
void cseq_my_call_once(void *once, void (*routine)(void))
{
    cseq_routine = routine;
    cseq_real_call_once(once, cseq_run_routine);
}

/* Condition variables: no thread really waits on one before the schedule is over and ends in a deadlock. */
int cseq_real_lock(void *) CSEQ_REAL(pthread_mutex_lock);
int cseq_real_trylock(void *) CSEQ_REAL(pthread_mutex_trylock);
int cseq_real_unlock(void *) CSEQ_REAL(pthread_mutex_unlock);
int cseq_real_wait(void *, void *) CSEQ_REAL(pthread_cond_wait);
CSEQ_UNSEEN static int cseq_sleep_until(void *condition, void *mutex, int late)
{
    int result;
    long other[16] = {0}; /* a mutex to wait with if the real one is locked */
    cseq_test_cancel();
    cseq_real_unlock(mutex);
    result = cseq_pause();
    for (int i = 0; i < cseq_plan.stuck_count; i++)
        if (cseq_is_over() && cseq_plan.stuck[i].asleep && &cseq_threads[cseq_plan.stuck[i].thread] == cseq_self) {
            int locked = cseq_real_trylock(mutex);
            if (locked != 0)
                cseq_real_lock(other);
            cseq_real_wait(condition, locked == 0 ? mutex : (void *) other);
            cseq_depart("a signal wakes the thread", "");
        }
    cseq_real_lock(mutex);
    cseq_test_again();
    (void) late;
    return result;
}

CSEQ_UNSEEN static int cseq_sleep(void *condition, void *mutex)
{
    return cseq_sleep_until(condition, mutex, 0);
}

int cseq_my_wait(void *, void *) CSEQ_FOR(pthread_cond_wait);
int cseq_my_wait(void *condition, void *mutex)
{
    return cseq_sleep(condition, mutex);
}

int cseq_my_timedwait(void *, void *, const long *) CSEQ_FOR(pthread_cond_timedwait);
int cseq_my_timedwait(void *condition, void *mutex, const long *time)
{
    return cseq_is_time(time) ? cseq_sleep_until(condition, mutex, 110 /* ETIMEDOUT */) : 22 /* EINVAL */;
}

int cseq_my_clockwait(void *, void *, int, const long *) CSEQ_FOR(pthread_cond_clockwait);
int cseq_my_clockwait(void *condition, void *mutex, int clock, const long *time)
{
    int valid = cseq_is_time(time) && (clock == 0 || clock == 1);
    return valid ? cseq_sleep_until(condition, mutex, 110 /* ETIMEDOUT */) : 22 /* EINVAL */;
}

int cseq_my_cnd_wait(void *, void *) CSEQ_FOR(cnd_wait);
int cseq_my_cnd_wait(void *condition, void *mutex)
{
    return cseq_sleep(condition, mutex);
}

int cseq_my_cnd_timedwait(void *, void *, const long *) CSEQ_FOR(cnd_timedwait);
int cseq_my_cnd_timedwait(void *condition, void *mutex, const long *time)
{
    return cseq_is_time(time) ? cseq_sleep_until(condition, mutex, 4 /* thrd_timedout */) : 2 /* thrd_error */;
}

int cseq_real_barrier_wait(void *) CSEQ_REAL(pthread_barrier_wait);
int cseq_my_barrier_wait(void *) CSEQ_FOR(pthread_barrier_wait);
int cseq_my_barrier_wait(void *barrier)
{
    int result = cseq_pause();
    return cseq_is_over() ? cseq_real_barrier_wait(barrier) : result;
}

/* A thread that waits for a spin lock is blocked, but does not sleep. */
int cseq_real_spin_lock(volatile int *) CSEQ_REAL(pthread_spin_lock);
int cseq_my_spin_lock(volatile int *) CSEQ_FOR(pthread_spin_lock);
int cseq_my_spin_lock(volatile int *lock)
{
    int error;
    cseq_self->spins = 1;
    error = cseq_real_spin_lock(lock);
    cseq_self->spins = 0;
    return error;
}

/* Thread-specific data: destructors are called here, since the turn of a thread ends after them. */
static struct cseq_key { unsigned key; void (*destructor)(void *); } cseq_keys[64];
static int cseq_key_count;
int cseq_real_key_delete(unsigned) CSEQ_REAL(pthread_key_delete);
void *cseq_real_getspecific(unsigned) CSEQ_REAL(pthread_getspecific);
static void cseq_destroy_values(void)
{
    for (int round = 0, called = 1; called && round < 4 /* PTHREAD_DESTRUCTOR_ITERATIONS */; round++) {
        called = 0;
        for (int i = 0; i < cseq_key_count; i++) {
            void *value = cseq_keys[i].destructor ? cseq_real_getspecific(cseq_keys[i].key) : 0;
            if (value) {
                cseq_real_setspecific(cseq_keys[i].key, 0);
                cseq_keys[i].destructor(value);
                called = 1;
            }
        }
    }
}

static int cseq_add_key(unsigned *key, void (*destructor)(void *))
{
    int error = cseq_real_key_create(key, 0);
    if (error == 0 && cseq_key_count == 64)
        cseq_depart("it creates more than 64 keys", "");
    if (error == 0)
        cseq_keys[cseq_key_count++] = (struct cseq_key) {*key, destructor};
    cseq_at_end = cseq_destroy_values;
    return error;
}

static int cseq_remove_key(unsigned key)
{
    for (int i = 0; i < cseq_key_count; i++)
        if (cseq_keys[i].key == key)
            cseq_keys[i].destructor = 0;
    return cseq_real_key_delete(key);
}

int cseq_my_key_create(unsigned *, void (*)(void *)) CSEQ_FOR(pthread_key_create);
int cseq_my_key_create(unsigned *key, void (*destructor)(void *))
{
    return cseq_add_key(key, destructor);
}

int cseq_my_tss_create(unsigned *, void (*)(void *)) CSEQ_FOR(tss_create);
int cseq_my_tss_create(unsigned *key, void (*destructor)(void *))
{
    return cseq_add_key(key, destructor) == 0 ? 0 : 2 /* thrd_error */;
}

int cseq_my_key_delete(unsigned) CSEQ_FOR(pthread_key_delete);
int cseq_my_key_delete(unsigned key)
{
    return cseq_remove_key(key);
}

void cseq_my_tss_delete(unsigned) CSEQ_FOR(tss_delete);
void cseq_my_tss_delete(unsigned key)
{
    cseq_remove_key(key);
}

/* Named semaphores, as long as the process lives. */
static struct cseq_semaphore { long semaphore[8]; char name[256]; } cseq_semaphores[16];
static int cseq_semaphore_count;
int cseq_real_sem_init(void *, int, unsigned) CSEQ_REAL(sem_init);
static struct cseq_semaphore *cseq_semaphore_of(const char *name)
{
    for (int i = 0; i < cseq_semaphore_count; i++)
        if (__builtin_strcmp(cseq_semaphores[i].name, name) == 0)
            return &cseq_semaphores[i];
    *cseq_errno() = 2 /* ENOENT */;
    return 0;
}

void *cseq_my_sem_open(const char *, int, ...) CSEQ_FOR(sem_open);
void *cseq_my_sem_open(const char *name, int flags, ...)
{
    struct cseq_semaphore *semaphore = cseq_semaphore_of(name);
    int creates = flags & 0100 /* O_CREAT */, exclusive = flags & 0200 /* O_EXCL */;
    __builtin_va_list arguments;
    if (semaphore && creates && exclusive) {
        *cseq_errno() = 17 /* EEXIST */;
        return 0;
    }
    if (semaphore || !creates)
        return semaphore ? semaphore->semaphore : 0;
    if (cseq_semaphore_count == 16)
        cseq_depart("it opens more than 16 semaphores", "");
    semaphore = &cseq_semaphores[cseq_semaphore_count];
    __builtin_va_start(arguments, flags);
    (void) __builtin_va_arg(arguments, unsigned);
    if (cseq_real_sem_init(semaphore->semaphore, 0, __builtin_va_arg(arguments, unsigned)) != 0)
        return 0;
    __builtin_va_end(arguments);
    cseq_format(semaphore->name, sizeof semaphore->name, "%s", name);
    cseq_semaphore_count++;
    return semaphore->semaphore;
}

int cseq_my_sem_unlink(const char *) CSEQ_FOR(sem_unlink);
int cseq_my_sem_unlink(const char *name)
{
    struct cseq_semaphore *semaphore = cseq_semaphore_of(name);
    if (semaphore)
        semaphore->name[0] = 0;
    return semaphore ? 0 : -1;
}

int cseq_my_sem_close(void *) CSEQ_FOR(sem_close);
int cseq_my_sem_close(void *semaphore)
{
    return semaphore ? 0 : -1;
}
