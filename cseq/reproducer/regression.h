/* The end of a turn is never the violation by itself: the program as it is now has to fail. */
CSEQ_UNSEEN static int cseq_is_misuse(void)
{
    return 0;
}

CSEQ_UNSEEN static int cseq_is_last(void)
{
    return 1;
}

/* In a test the program may have changed since its schedule was found. If it leaves the schedule it says so, and goes
 * on without it: from then on all threads run as they like, and the end of the program is that of the test. */
static volatile int cseq_leaves, cseq_is_free;
int cseq_real_cancel(unsigned long) CSEQ_REAL(pthread_cancel);

CSEQ_UNSEEN static __attribute__((unused)) CSEQ_NORETURN void cseq_block(void)
{
    for (;;)
        cseq_nap();
}

/* `self` is the calling thread; null for the one that watches. A thread that is interrupted in a statement first ends
 * that while the others stand still, since the parts of the statement belong together. */
CSEQ_UNSEEN static void cseq_go_on(const struct cseq_thread *self, const char *what)
{
    const struct cseq_turn *turn = cseq_turn();
    if (__sync_lock_test_and_set(&cseq_leaves, 1)) {
        while (self && !self->open && !cseq_is_free)
            cseq_nap();
        return;
    }
    if (!cseq_is_over())
        cseq_print(2, "cseq: left the schedule in turn %d of %d (%s, until %s:%d): %s; the program continues without it\n",
                   cseq_now + 1, cseq_plan.turn_count, cseq_plan.names[turn->thread], turn->file, turn->line, what);
    for (int i = 0; i < cseq_created; i++) {
        if (&cseq_threads[i] == self || !cseq_threads[i].open)
            continue;
        cseq_threads[i].go = 1;
        cseq_syscall(__NR_futex, &cseq_threads[i].go, 129 /* FUTEX_WAKE_PRIVATE */, 1, 0);
        for (int looks = 0; cseq_threads[i].open; looks++) {
            if (looks == 1000)
                cseq_depart("the schedule ends inside of a statement that does not end", "");
            cseq_nap();
        }
    }
    cseq_is_free = 1;
    __sync_synchronize();
    for (int i = 0; i < cseq_created; i++) {
        if (cseq_threads[i].cancelled && !cseq_threads[i].ended)
            cseq_real_cancel(cseq_threads[i].handle);
        cseq_syscall(__NR_futex, &cseq_threads[i].go, 129 /* FUTEX_WAKE_PRIVATE */, 1, 0);
    }
}

CSEQ_UNSEEN static void cseq_stray(const char *what)
{
    cseq_go_on(cseq_self, what);
}

CSEQ_UNSEEN static int cseq_all_ended(void)
{
    int i = 0;
    while (i < cseq_created && cseq_threads[i].ended)
        i++;
    return i == cseq_created;
}

CSEQ_UNSEEN static int cseq_all_block(void)
{
    for (int i = 0; i < cseq_created; i++)
        if (!cseq_threads[i].ended && !cseq_sleeps(&cseq_threads[i]))
            return 0;
    return 1;
}

void cseq_end_all(int) CSEQ_REAL(exit) CSEQ_NORETURN;

#ifndef CSEQ_LIMIT
#define CSEQ_LIMIT 6000 /* checks after the schedule */
#endif

/* A separate thread that checks every 10 ms whether the threads that may run are blocked. It counts its checks and not
 * the time, since a debugger may stop the process. */
CSEQ_UNSEEN static void *cseq_watch(void *unused)
{
    int turn = -1, looks = 0, asleep = 0, stuck = 0;
    while (!cseq_is_free) {
        cseq_nap();
        if (turn != cseq_now)
            looks = asleep = 0;
        turn = cseq_now;
        looks++;
        asleep = cseq_all_sleep() ? asleep + 1 : 0;
        if (asleep == (cseq_is_over() ? 3 : CSEQ_PATIENCE / 10))
            cseq_go_on(0, "the thread is blocked");
        if (looks == CSEQ_PATIENCE)
            cseq_go_on(0, "it does not end");
    }
    for (looks = asleep = 0; looks < CSEQ_LIMIT; looks++) {
        cseq_nap();
        asleep = cseq_all_block() ? asleep + 1 : 0;
        stuck = cseq_is_over() && cseq_all_sleep() ? stuck + 1 : 0;
        if (stuck == CSEQ_PATIENCE || (stuck > 0 && asleep == CSEQ_PATIENCE / 10))
            cseq_deadlock();
        if (asleep == 3 && cseq_all_ended()) /* the process would wait for this thread */
            cseq_end_all(0);
        if (asleep == CSEQ_PATIENCE) {
            cseq_print(2, "cseq: every thread is blocked\n");
            cseq_abort();
        }
    }
    cseq_print(2, "cseq: the program does not end\n");
    cseq_leave(70);
    return unused;
}

CSEQ_UNSEEN static __attribute__((constructor)) void cseq_watch_all(void)
{
    cseq_start_watch();
}

/* The last thing that runs. What the program returns is no violation; that of a race is for ThreadSanitizer to say. */
int cseq_flush(void *) CSEQ_REAL(fflush);
CSEQ_UNSEEN static __attribute__((destructor)) void cseq_end_process(void)
{
    if (!cseq_leaves)
        cseq_print(2, "cseq: the program ends in turn %d of %d, and nothing has failed\n", cseq_now + 1, cseq_plan.turn_count);
#ifndef __SANITIZE_THREAD__
    cseq_flush(0);
    cseq_leave(0);
#endif
}

/* An update of what is atomic now cannot be interrupted. */
#define CSEQ_IS_ATOMIC(place) \
    _Generic(&(place), _Atomic __typeof__((0, (place))) *: 1, volatile _Atomic __typeof__((0, (place))) *: 1, default: 0)
#define CSEQ_UPDATE(place) \
    (CSEQ_IS_ATOMIC(place) ? cseq_whole("the update is atomic") : cseq_note(&(place), sizeof(place), CSEQ_UPDATES))

/* How often each condition variable was signalled. */
static struct cseq_condition { const void *condition; volatile int signals; } cseq_conditions[64];
static volatile int cseq_finding;
CSEQ_UNSEEN static __attribute__((unused)) volatile int *cseq_signals(const void *condition)
{
    int i = 0;
    while (__sync_lock_test_and_set(&cseq_finding, 1))
        cseq_syscall(__NR_sched_yield);
    while (i < 64 && cseq_conditions[i].condition && cseq_conditions[i].condition != condition)
        i++;
    if (i == 64)
        cseq_depart("it has more than 64 condition variables", "");
    cseq_conditions[i].condition = condition;
    __sync_lock_release(&cseq_finding);
    return &cseq_conditions[i].signals;
}

CSEQ_UNSEEN static __attribute__((unused)) int cseq_signal(volatile int *signals)
{
    __sync_fetch_and_add(signals, 1);
    cseq_syscall(__NR_futex, signals, 129 /* FUTEX_WAKE_PRIVATE */, 0x7fffffff, 0);
    return 0;
}

int cseq_my_signal(void *) CSEQ_FOR(pthread_cond_signal);
int cseq_my_signal(void *condition)
{
    return cseq_signal(cseq_signals(condition));
}

int cseq_my_broadcast(void *) CSEQ_FOR(pthread_cond_broadcast);
int cseq_my_broadcast(void *condition)
{
    return cseq_signal(cseq_signals(condition));
}

int cseq_my_cnd_signal(void *) CSEQ_FOR(cnd_signal);
int cseq_my_cnd_signal(void *condition)
{
    return cseq_signal(cseq_signals(condition));
}

int cseq_my_cnd_broadcast(void *) CSEQ_FOR(cnd_broadcast);
int cseq_my_cnd_broadcast(void *condition)
{
    return cseq_signal(cseq_signals(condition));
}

int cseq_my_cancel(unsigned long) CSEQ_FOR(pthread_cancel);
int cseq_my_cancel(unsigned long handle)
{
    int error = cseq_leaves ? cseq_real_cancel(handle) : 0;
    cseq_thread_of(handle)->cancelled = 1;
    for (int i = 0; i < 64; i++)
        cseq_signal(&cseq_conditions[i].signals);
    return error;
}

/* A wait for a signal ends a turn, and the next turn ends the wait. After the schedule it ends with the next signal, of
 * which each ends all waits, as POSIX allows; and one with a time ends at once, with the result `late`, which is 0 for one
 * without a time. */
int cseq_real_lock(void *) CSEQ_REAL(pthread_mutex_lock);
int cseq_real_unlock(void *) CSEQ_REAL(pthread_mutex_unlock);
CSEQ_UNSEEN static int cseq_sleep_until(void *condition, void *mutex, int late)
{
    int now = cseq_now, result = 0, waits = 1;
    volatile int *signals = cseq_signals(condition);
    int before = *signals;
    cseq_test_cancel();
    cseq_real_unlock(mutex);
    if (!cseq_leaves && !cseq_is_over()) {
        result = cseq_pause();
        if (now == cseq_now)
            cseq_go_on(cseq_self, "it waits for a signal");
        waits = cseq_leaves || cseq_is_over();
    }
    if (waits && late != 0)
        cseq_nap();
    while (waits && late == 0 && *signals == before && (!cseq_self->cancelled || cseq_uncancellable))
        cseq_syscall(__NR_futex, signals, 128 /* FUTEX_WAIT_PRIVATE */, before, 0);
    cseq_real_lock(mutex);
    cseq_test_again();
    return !waits ? result : *signals == before ? late : 0;
}

/* Atomic sections, which exclude each other. */
static long cseq_section[16];
static __thread int cseq_sections;
int cseq_real_lock_section(void *) CSEQ_REAL(pthread_mutex_lock);
int cseq_real_unlock_section(void *) CSEQ_REAL(pthread_mutex_unlock);
static __attribute__((unused)) void cseq_enter(void)
{
    if (cseq_sections++ == 0)
        cseq_real_lock_section(cseq_section);
}
static __attribute__((unused)) void cseq_exit(void)
{
    if (--cseq_sections == 0)
        cseq_real_unlock_section(cseq_section);
}

static __attribute__((unused)) CSEQ_NORETURN void cseq_unassumed(void)
{
    cseq_print(2, "cseq: an assumption does not hold, so nothing is tested\n");
    cseq_leave(0);
}
