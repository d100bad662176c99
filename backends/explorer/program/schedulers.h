/* Which of the threads that can run a scheduler lets run: text to be added after a step program
 * (modules/explicit/encode/hooks.py).
 *
 * One of these is defined before it: __CSEQ_BY_PRIORITY; __CSEQ_ROUND_ROBIN, the number of transitions in a thread's
 * turn; __CSEQ_CAN_PREEMPT, the name of a comparison. __cs_try makes a transition without a scheduler.
 *
 * A thread that goes on only because time has passed may do so at any moment, and keeps no other from running. */

#ifdef __CSEQ_ROUND_ROBIN
/* The running thread goes on until its turn is over or it is blocked. Then it is the turn of the next thread, by
 * number, that can go on. */
__CSEQ_STATE static unsigned char __cs_running;
__CSEQ_STATE static unsigned int __cs_made;

void __CSEQ_step(unsigned int thread)
{
    __cs_made = thread == __cs_running && __cs_made < __CSEQ_ROUND_ROBIN ? __cs_made + 1 : 1;
    __cs_running = thread;
    __cs_try(thread);
}

__CSEQ_set __CSEQ_runnable(__CSEQ_set enabled)
{
    unsigned int thread = __cs_running;
    if (__cs_made < __CSEQ_ROUND_ROBIN && (enabled >> thread & 1))
        return __CSEQ_ONLY(thread);
    for (unsigned int n = 0; n < __CSEQ_THREADS; n++) {
        thread = (thread + 1) % __CSEQ_THREADS;
        if (enabled >> thread & 1)
            return __CSEQ_ONLY(thread);
    }
    return 0;
}
#else
void __CSEQ_step(unsigned int thread)
{
    __cs_contended[thread] = 0;
    __cs_dozing &= ~(__CSEQ_ONLY(thread));
#ifdef __CSEQ_CAN_PREEMPT
    if (!__CSEQ_CAN_PREEMPT(thread, -1))
        __CSEQ_block(0);
#endif
    __cs_try(thread);
}
#endif

#ifdef __CSEQ_BY_PRIORITY
/* One processor, preemptive: of the threads that can go on, one with the highest priority runs; any, where there are
 * several. The owner of a mutex has at least the priority of its ceiling or, with inheritance, that of each thread that
 * waits for the mutex. */
static int __cs_raise(unsigned char *priorities, unsigned int thread, unsigned char to)
{
    if (priorities[thread] >= to)
        return 0;
    priorities[thread] = to;
    return 1;
}

__CSEQ_set __CSEQ_runnable(__CSEQ_set enabled)
{
    unsigned char priorities[__CSEQ_THREADS], highest = 0;
    __CSEQ_set awake = enabled & ~__cs_dozing, lets_run = enabled & __cs_dozing;
    for (unsigned int k = 0; k < __CSEQ_THREADS; k++)
        priorities[k] = __cs_priority[k];
#ifdef __CSEQ_WITH_CEILINGS
    for (unsigned int i = 0; i < __CSEQ_CEILINGS && __cs_protected[i]; i++) {
        const pthread_mutex_t *mutex = __cs_protected[i];
        if (mutex->__cs_state == 1 && mutex->__cs_owner != 0 && mutex->__cs_protocol != __CSEQ_INHERITS)
            __cs_raise(priorities, mutex->__cs_owner - 1, mutex->__cs_protocol);
    }
#endif
#ifdef __CSEQ_WITH_MUTEXES
    __CSEQ_set waiting = __CSEQ_alive() & ~awake;
    for (int again = 1; again;) {
        again = 0;
        for (unsigned int k = 0; k < __CSEQ_THREADS; k++) {
            const pthread_mutex_t *mutex = (const pthread_mutex_t *)__cs_contended[k];
            if ((waiting >> k & 1) && mutex)
                again |= __cs_raise(priorities, mutex->__cs_owner - 1, priorities[k]);
        }
    }
#endif
    for (unsigned int k = 0; k < __CSEQ_THREADS; k++)
        if ((awake >> k & 1) && priorities[k] > highest)
            highest = priorities[k];
    for (unsigned int k = 0; k < __CSEQ_THREADS; k++)
        if ((awake >> k & 1) && priorities[k] == highest)
            lets_run |= __CSEQ_ONLY(k);
    return lets_run;
}
#endif

#ifdef __CSEQ_CAN_PREEMPT
/* The idle thread has the number -1; a thread that cannot preempt it is blocked. Otherwise a thread may run unless
 * another one can preempt it and not the other way round. Where this excludes all, in a circle, all may run. */
__CSEQ_set __CSEQ_runnable(__CSEQ_set enabled)
{
    __CSEQ_set awake = enabled & ~__cs_dozing, lets_run = enabled;
    for (int k = 0; k < __CSEQ_THREADS; k++)
        for (int other = 0; (lets_run & awake) >> k & 1 && other < __CSEQ_THREADS; other++)
            if ((awake >> other & 1) && __CSEQ_CAN_PREEMPT(other, k) && !__CSEQ_CAN_PREEMPT(k, other))
                lets_run &= ~(__CSEQ_ONLY(k));
    return lets_run ? lets_run : enabled;
}
#endif
