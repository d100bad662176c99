/* What hand-written step programs share. A program defines THREADS and `static void step(unsigned int)`. It defines
 * BEGIN where more threads than main exist at the beginning. `at` is where a thread goes on; 0 if it does
 * not exist. */

#include "interface.h"

#ifndef BEGIN
#define BEGIN {1} /* main alone */
#endif
__CSEQ_STATE unsigned char at[THREADS] = BEGIN;
const unsigned int __CSEQ_most_threads = THREADS;

#define STATE __CSEQ_STATE static
#define READ(object) __CSEQ_touch(&(object), sizeof(object), __CSEQ_TOUCH_READ)
#define WRITE(object) __CSEQ_touch(&(object), sizeof(object), __CSEQ_TOUCH_WRITE)
#define ATOMIC(object) \
    __CSEQ_touch(&(object), sizeof(object), __CSEQ_TOUCH_READ | __CSEQ_TOUCH_WRITE | __CSEQ_TOUCH_ATOMIC)
#define ASSERT(condition) ((condition) ? (void)0 : __CSEQ_violate("assertion `" #condition "'"))

/* Blocks unless the thread has ended. */
#define JOIN(thread) \
    (__CSEQ_touch(&at[thread], 1, __CSEQ_TOUCH_READ | __CSEQ_TOUCH_ATOMIC), \
     at[thread] ? __CSEQ_block(1ULL << (thread)) : (void)0)
#define END(thread) (__CSEQ_touch(&at[thread], 1, __CSEQ_TOUCH_WRITE | __CSEQ_TOUCH_ATOMIC), at[thread] = 0)

/* A lock is 0, or the number of its owner plus one. */
#define LOCK(lock, thread) (ATOMIC(lock), (lock) ? __CSEQ_block(1ULL << ((lock) - 1)) : (void)((lock) = (thread) + 1))
#define UNLOCK(lock) (ATOMIC(lock), (lock) = 0)

static void step(unsigned int thread);

unsigned long long __CSEQ_alive(void)
{
    unsigned long long alive = 0;
    for (unsigned int thread = 0; thread < THREADS; thread++)
        alive |= (unsigned long long)(at[thread] != 0) << thread;
    return alive;
}

unsigned int __CSEQ_place(unsigned int thread) { return at[thread]; }
void __CSEQ_step(unsigned int thread) { step(thread); }
