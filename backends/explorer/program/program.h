/* What comes before the text of a step program: the thread library's primitives, in terms of the engine. */

#include "../interface.h"

static unsigned int __cs_depth;  /* of the atomic sections around the statement; 0 after each transition */
static unsigned int __cs_turns;  /* of loops, in this transition, that no other thread could notice */
static unsigned int __cs_newest; /* the thread that was created last, in this transition */

enum {
    __CSEQ_TURNS = 1000,        /* after so many turns a transition ends, as it has to be finite */
    __CSEQ_MOST_TURNS = 1000000 /* the same inside an atomic section, where only a cut can end it */
};

static const char *__cs_bytes; /* that inputs are read from, in this transition, and how far */
static unsigned long __cs_bytes_read;

static inline void __CSEQ_begin(void)
{
    __cs_bytes = 0;
    __cs_depth = 0;
    __cs_turns = 0;
    __CSEQ_known_races = 0;
}

/* Not inlined: programs have many such calls, and compilers need their time for each. */
static inline __attribute__((noinline)) void __CSEQ_touches(const volatile void *at, unsigned long size,
                                                            unsigned int kind)
{
    __CSEQ_touch(at, size, kind | __CSEQ_TOUCH_NO_RACE | (__cs_depth ? __CSEQ_TOUCH_ATOMIC : 0));
}

/* For data races: the statement is about to access memory of the user's. */
#define __CSEQ_address(pointer) ((unsigned long)(pointer))
static inline void __cs_race_accesses(unsigned long address, unsigned long size, int writes, int is_atomic)
{
    unsigned int kind = writes ? __CSEQ_TOUCH_WRITE : __CSEQ_TOUCH_READ;
    if (__cs_depth)
        kind |= __CSEQ_TOUCH_ATOMIC | __CSEQ_TOUCH_SECTION;
    if (size != 0)
        __CSEQ_touch((const volatile void *)address, size, kind | (is_atomic ? __CSEQ_TOUCH_ATOMIC : 0));
}

static inline void __cs_race_known(unsigned long long sides) { __CSEQ_known_races = sides; }

/* Whether a transition should end at the end of a loop's body. */
static inline int __CSEQ_tired(void)
{
    if (++__cs_turns < __CSEQ_TURNS)
        return 0;
    if (__cs_depth != 0 && __cs_turns >= __CSEQ_MOST_TURNS)
        __CSEQ_cut("an atomic section does not end");
    return __cs_depth == 0;
}

/* With a single thread, nothing is coarse. */
static inline void __CSEQ_noted(const char *text)
{
    __CSEQ_set alive = __CSEQ_alive();
    if (__cs_depth == 0 && (alive & (alive - 1)) != 0)
        __CSEQ_coarse(text);
}

/* Functions rather than macros: the arguments of the program's calls may contain commas. */
static inline void __CSEQ_wait(_Bool holds)
{
    if (!holds)
        __CSEQ_block(0);
}
static inline void __CSEQ_wait_outside(_Bool holds)
{
    if (!holds)
        __CSEQ_block(__CSEQ_ANY_THREAD);
}
#define __CSEQ_wait_or_wake(...) \
    ((__VA_ARGS__) ? (void)0 : __CSEQ_SPURIOUS ? __CSEQ_wakes_spuriously() : __CSEQ_block(0))
#define __CSEQ_may_hang(...) (__CSEQ_DEADLOCKS && (__VA_ARGS__) ? __CSEQ_block(__CSEQ_ONLY(__CSEQ_thread)) : (void)0)
#define __CSEQ_may_wait(...) (__CSEQ_DEADLOCKS && (__VA_ARGS__) ? __CSEQ_block(0) : (void)0)
static inline void __CSEQ_fail_unless(_Bool holds, const char *text)
{
    if (!holds)
        __CSEQ_violate(text);
}
static inline void __CSEQ_assert(_Bool holds, const char *text)
{
    if (!holds)
        __CSEQ_violate(text);
}
static inline void __CSEQ_assume(_Bool holds)
{
    if (!holds)
        __CSEQ_drop();
}
static inline void __CSEQ_unwound(_Bool holds, const char *text)
{
    if (!holds)
        __CSEQ_cut(text);
}

/* The number of a new thread: the next one. */
#define __CSEQ_new_thread(text) \
    ({ \
        __cs_newest = 0; \
        while (__cs_newest < __CSEQ_THREADS && __cs_active[__cs_newest]) \
            __cs_newest++; \
        if (__cs_newest == __CSEQ_THREADS) \
            __CSEQ_cut(text); \
        __cs_newest; \
    })
#define __CSEQ_starts(entry) ((void)(__cs_at[__cs_newest] = (entry)))

/* The index of the thread with this identifier in arrays. Identifiers that no thread has are refused afterwards. */
#define __CSEQ_of(identifier) ((identifier) - 1ULL < __CSEQ_THREADS ? (identifier) - 1ULL : 0)

/* These have loops, so they are optimised even where the program is not. */
#pragma GCC push_options
#pragma GCC optimize("O1")
#include "definedness.h"
#include "heap.h"
#include "checked.h"
#include "layout.h"
#pragma GCC pop_options

static inline void __CSEQ_zero(void *object, unsigned long size) { __builtin_memset(object, 0, size); }

static inline void __CSEQ_copy(void *to, const void *from, unsigned long size) { __builtin_memcpy(to, from, size); }

static inline void __CSEQ_move(void *to, const void *from, unsigned long size) { __builtin_memmove(to, from, size); }

static inline void __CSEQ_fill(void *object, int byte, unsigned long size) { __builtin_memset(object, byte, size); }

/* Choices. */

/* The number of a bit of *set*, any. */
static inline unsigned int __CSEQ_member(__CSEQ_set set)
{
    if (set == 0)
        __CSEQ_drop();
    for (unsigned long long n = __CSEQ_choose(__CSEQ_count(set)); n > 0; n--)
        set &= set - 1;
    return __CSEQ_least(set);
}

static inline __CSEQ_set __CSEQ_one_of(__CSEQ_set set) { return __CSEQ_ONLY(__CSEQ_member(set)); }

/* The bits of *bits*, moved to where *mask* has its ones. */
static inline unsigned long long __CSEQ_spread(unsigned long long bits, unsigned long long mask)
{
    unsigned long long result = 0;
    for (; mask != 0; mask &= mask - 1, bits >>= 1)
        if (bits & 1)
            result |= mask & -mask;
    return result;
}

/* Inputs with too many values to try each. The next choice is of some: this is noted. */
static inline unsigned long __CSEQ_sampled(unsigned long count, const char *text)
{
    __CSEQ_coarse(text);
    __cs_bytes = 0;
    return count > 1 ? __CSEQ_choose(count) : 0;
}

/* The program, where library functions take such inputs: numbers, and the beginnings of texts. */
extern const long long __cs_samples[];
extern const unsigned long __cs_samples_count;
extern const char __cs_texts[][16];
extern const unsigned long __cs_texts_count;

static inline long long __CSEQ_sample(void) { return __cs_samples[__CSEQ_choose(__cs_samples_count)]; }

/* The next byte of what is read: of one text in the first 16 bytes, of another one in the next, and so on. */
static inline char __CSEQ_sample_byte(void)
{
    if (__cs_bytes == 0)
        __cs_bytes_read = 0;
    if (__cs_bytes_read % sizeof *__cs_texts == 0 && __cs_bytes_read < 2 * sizeof *__cs_texts)
        __cs_bytes = __cs_texts[__CSEQ_choose(__cs_texts_count)];
    return __cs_bytes[__cs_bytes_read++ % sizeof *__cs_texts];
}

static inline void __CSEQ_havoc(volatile void *at, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        ((volatile char *)at)[i] = __CSEQ_sample_byte();
}

/* For a scheduler: what the last transition that each thread tried was about: the mutex, with priority inheritance,
 * that the thread waits for; and the threads that would go on only because time has passed. No part of the state. */
static const volatile void *__cs_contended[__CSEQ_SET_BITS];
static __CSEQ_set __cs_dozing;
#define __CSEQ_contends(mutex) ((void)(__cs_contended[__CSEQ_thread] = (mutex)))
#define __CSEQ_dozes() ((void)(__cs_dozing |= __CSEQ_ONLY(__CSEQ_thread)))
