/* The contract between a step program and the engine that drives it.
 *
 * The stage `stepper` makes a step program of a threaded program. All that its threads can change lies in one linker
 * section, the state: globals, the thread library's objects, the place where each thread goes on (`__cs_at`), the
 * locals that it needs there, memory from malloc. Equal states are equal bytes. An engine saves and restores the state
 * as bytes. To have a thread make one transition, it calls __CSEQ_step. A transition is one statement that other
 * threads can notice and the statements after it, up to the next one that they can notice.
 *
 * The engine provides the functions below unless they are marked "the program" or __CSEQ_HOOK. Those that do not return
 * leave the transition by a non-local jump. What it has done to the state by then is void: the engine restores the
 * state before it. The program is compiled by itself, without headers of the system.
 *
 * The engine has 64 bits, and a program 64 or 32 (modules/explicit/encode/ilp32_layout.py): what one passes to the
 * other has the same width in both. Memory that a program is given lies below 4 GB. */

#ifndef __CSEQ_EXPLORER_INTERFACE_H
#define __CSEQ_EXPLORER_INTERFACE_H

/* The program: where its state is. The linker defines these for a section of that name. */
extern char __start_cseq_state[], __stop_cseq_state[];
#define __CSEQ_STATE __attribute__((section("cseq_state")))

/* A set of threads: bit k for thread k. A program and its engine are compiled alike: with __CSEQ_WIDE where the program
 * may have more threads than a word has bits (modules/explicit/encode/thread_sets.py). */
#ifdef __CSEQ_WIDE
typedef unsigned __int128 __CSEQ_set;
static inline unsigned int __CSEQ_count(__CSEQ_set set)
{
    return (unsigned int)(__builtin_popcountll((unsigned long long)set)
                          + __builtin_popcountll((unsigned long long)(set >> 64)));
}
/* The least thread of a set that is not empty. */
static inline unsigned int __CSEQ_least(__CSEQ_set set)
{
    unsigned long long low = (unsigned long long)set;
    return (unsigned int)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((unsigned long long)(set >> 64)));
}
#else
typedef unsigned long long __CSEQ_set;
static inline unsigned int __CSEQ_count(__CSEQ_set set) { return (unsigned int)__builtin_popcountll(set); }
static inline unsigned int __CSEQ_least(__CSEQ_set set) { return (unsigned int)__builtin_ctzll(set); }
#endif
#define __CSEQ_SET_BITS (8 * sizeof(__CSEQ_set))
#define __CSEQ_ONLY(thread) ((__CSEQ_set)1 << (thread))
#define __CSEQ_ANY_THREAD (~(__CSEQ_set)0)

/* The program: how many threads it has at most, main among them; at most as many as a set has bits. Threads are
 * numbered in the order of creation, main is 0. */
extern const unsigned int __CSEQ_most_threads;

/* The program: the set of threads that exist and have not ended. Only these are asked to step. */
__CSEQ_set __CSEQ_alive(void);

/* The program: one transition of *thread*, which is alive. Returns when it is complete. From the same state it always
 * makes the same choices in the same order, as long as __CSEQ_choose gives the same answers. */
void __CSEQ_step(unsigned int thread);

/* The program: the number of the place where *thread* goes on; 0 for one that is not alive. */
unsigned int __CSEQ_place(unsigned int thread);

/* This transition is about to make, or to try, an access that other threads can notice: size bytes at *at*. All
 * accesses of the first statement are announced before it does anything, even if it blocks. */
void __CSEQ_touch(const volatile void *at, unsigned long long size, unsigned int kind);

/* On which sides of data races that are known already the accesses are that are announced from now on: two bits for
 * each race (modules/core/known_races.py). Two accesses on opposite sides of one make no other race. */
extern unsigned long long __CSEQ_known_races;
enum {
    __CSEQ_TOUCH_READ = 1,
    __CSEQ_TOUCH_WRITE = 2,
    __CSEQ_TOUCH_ATOMIC = 4,     /* by the thread library, by an atomic operation, or in an atomic section: no race */
    __CSEQ_TOUCH_EVERYTHING = 8, /* all of the state counts as touched; at and size mean nothing */
    __CSEQ_TOUCH_NO_RACE = 16,   /* orders transitions, but never makes a data race */
    __CSEQ_TOUCH_SECTION = 32,   /* for the reader: in an atomic section of the program's */
};

/* The thread cannot go on in this state. who: the set of threads that all have to do something before it can; 0 where
 * any thread may let it go on, __CSEQ_ANY_THREAD where no thread has to (a deadline, the world outside). */
_Noreturn void __CSEQ_block(__CSEQ_set who);

/* The thread, which waits for a signal that any thread may send, goes on without one. As no program can rely on that,
 * the search for deadlocks takes it to be blocked. */
void __CSEQ_wakes_spuriously(void);

/* An assumption does not hold: this execution ends, and nothing is wrong with it. */
_Noreturn void __CSEQ_drop(void);

/* The claim with this text does not hold. */
_Noreturn void __CSEQ_violate(const char *text);

/* A bound cuts this execution off, such as that on the number of threads: what comes after is not explored, so there is
 * no proof. */
_Noreturn void __CSEQ_cut(const char *text);

/* The same, but the execution goes on: something was left out here. */
void __CSEQ_coarse(const char *text);

/* The program does what this family cannot follow, such as reading what was never written: no verdict. */
_Noreturn void __CSEQ_refuse(const char *text);

/* The process ends, with all threads. */
_Noreturn void __CSEQ_exit(void);

/* The first address from *at* on, in the state, that some transition may have written; all before it is zero. */
const char *__CSEQ_used_from(const char *at);

/* One of 0 … count-1, any: the engine has the transition made with each. */
unsigned long long __CSEQ_choose(unsigned long long count);

/* In a program that is made to report what it does: statement *number* begins, value *number* is *value*. */
void __CSEQ_at(unsigned int number);
void __CSEQ_show(unsigned int number, unsigned long long value);

/* The numbers under which a program shows what has no number of its own: the address of a text that says how two
 * objects lie in memory; the value that memory is given that was never
 * written; the state of memory that a claim is about, before it fails, and then where its object is, or how large;
 * where an object is that was allocated just now, or freed, or whose life has ended. */
enum {
    __CSEQ_SHOWS_ORDER = 0x7ffffffb,
    __CSEQ_SHOWS_UNWRITTEN = 0x7ffffffc,
    __CSEQ_SHOWS_STATE = 0x7ffffffd,
    __CSEQ_SHOWS_WHICH = 0x7ffffffe,
    __CSEQ_SHOWS_CHANGE = 0x7fffffff
};

/* In a program with marks: this transition reaches the one with this number. The object fills whole pages, so that the
 * engine can have its processes share it; they look before they write, since to write is what makes others wait. */
#define __CSEQ_reaches(mark) ((void)(__CSEQ_marked[mark] || (__CSEQ_marked[mark] = 1)))

/* What else a program may have; an engine looks whether it is there. These functions read the state and do not
 * change it. A signal in one of them, as from a null pointer, is no crash of the program: there is no verdict then. */
#define __CSEQ_HOOK __attribute__((weak))

/* Which of *enabled*, the threads that can make a transition in this state, the scheduler lets run. It is asked right
 * after a transition of each live thread was tried in this state, since the library notes outside of the state what a
 * thread blocks at. __CSEQ_step keeps what the scheduler remembers in the state. Where no thread is enabled, it
 * need not be asked. Where some are enabled and none of them may run, they are stuck like blocked ones: a deadlock. */
__CSEQ_HOOK __CSEQ_set __CSEQ_runnable(__CSEQ_set enabled);

/* The text of an invariant that does not hold in this state, or 0. */
__CSEQ_HOOK const char *__CSEQ_invariant(void);

/* The abstract state: writes at most *most* bytes and returns how many there are. Only these bytes and the places of
 * the threads are matched. It abstracts from data, not from control: otherwise each step that leaves it unchanged, such
 * as one that only reads, would lead to a state that counts as known. */
__CSEQ_HOOK unsigned int __CSEQ_abstract(unsigned char *to, unsigned int most);

/* For the heuristic search: states with a larger value come first. */
__CSEQ_HOOK long long __CSEQ_metric(void);

/* For the directed search: how far this state is from one that violates a claim of the program's, as far as the values
 * that the claims are about tell; at least 0, and 0 where one is violated. */
__CSEQ_HOOK long long __CSEQ_distance(void);

/* Whether the state is as the outline of an execution wants it to be after its move with this number. */
__CSEQ_HOOK int __CSEQ_is_expected(unsigned int move);

/* Whether the proposition with this number holds; how many there are. */
__CSEQ_HOOK int __CSEQ_proposition(unsigned int number);
extern __CSEQ_HOOK const unsigned int __CSEQ_propositions;

/* The user's labels at which *thread* stands, as far as they mean something to engines: the sum of 1 for a label that
 * begins with `end` (a thread may be blocked there for ever), 2 for `progress`, and 4 for `accept`. */
__CSEQ_HOOK unsigned int __CSEQ_labels(unsigned int thread);

/* What a thread may still touch when it stands at a place: a bit for each object that has one, the highest bit for all
 * that has none. The last of the objects is followed by one at a null pointer. */
struct __CSEQ_touchable {
    union {
        const volatile void *at;
        unsigned long long word; /* as in __CSEQ_watch */
    };
    unsigned long long size;
};
extern __CSEQ_HOOK const struct __CSEQ_touchable __CSEQ_touchables[];
extern __CSEQ_HOOK const unsigned long long __CSEQ_may_read[], __CSEQ_may_write[];
/* Objects that are not in these sets, as no thread can notice when they are touched. */
extern __CSEQ_HOOK const unsigned long long __CSEQ_unnoticed;

/* Threads that are interchangeable: the set of those that exist and have not been joined; and the class of each thread,
 * from 1 on, or 0. Only those of one class are. In the state, their numbers occur in these arrays with an element for
 * each thread from *first* on; and, plus one, in these objects of 16 bits, where 0 is no thread. The last of each is
 * followed by one at a null pointer. */
struct __CSEQ_row {
    union {
        const volatile void *at;
        unsigned long long word; /* as in __CSEQ_watch */
    };
    unsigned long long size, first; /* size: of an element */
};
__CSEQ_HOOK __CSEQ_set __CSEQ_alike(void);
extern __CSEQ_HOOK const unsigned char __CSEQ_class[];
extern __CSEQ_HOOK const struct __CSEQ_row __CSEQ_rows[];
extern __CSEQ_HOOK const struct __CSEQ_touchable __CSEQ_owners[];

/* The object whose values at an assertion the engine collects (--collect). */
extern __CSEQ_HOOK const struct __CSEQ_touchable __CSEQ_collected[];

/* The marks that have been reached, and how many there are. */
extern __CSEQ_HOOK unsigned char __CSEQ_marked[];
extern __CSEQ_HOOK const unsigned int __CSEQ_marks;

/* What __CSEQ_invariant and __CSEQ_proposition read: a reduction must not pass over a state after a transition that
 * writes some of it. A count of ~0u: they may read any part of the state. */
struct __CSEQ_watch {
    union {
        const volatile void *at;
        unsigned long long word; /* 64 bits, of which a pointer of 32 takes the first */
    };
    unsigned long long size;
};
extern __CSEQ_HOOK const struct __CSEQ_watch __CSEQ_watched[];
extern __CSEQ_HOOK const unsigned int __CSEQ_watched_count;

#endif
