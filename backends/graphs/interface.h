/* The contract between a program and the explorer of execution graphs.
 *
 * The stage `graphs/encode` makes the program of the intermediate representation. Its threads are functions that have
 * their locals on the stack and make each access to other memory by a call of the explorer, which never writes to that
 * memory: what an access reads is in the graph. The explorer executes a thread from its beginning, again and again, and
 * leaves it by a non-local jump. So a thread has to make the same calls whenever its loads give the same values. */

#ifndef __CSEQ_GRAPHS_INTERFACE_H
#define __CSEQ_GRAPHS_INTERFACE_H

typedef unsigned long long __CSEQ_word;

/* Memory orders, by their numbers in the intermediate representation. */
enum {
    __CSEQ_PLAIN,
    __CSEQ_RELAXED,
    __CSEQ_CONSUME,
    __CSEQ_ACQUIRE,
    __CSEQ_RELEASE,
    __CSEQ_ACQ_REL,
    __CSEQ_SEQ_CST,
};

/* The program: all of start function *function* (0 is main) with its argument; its result. */
__CSEQ_word __CSEQ_run(unsigned function, __CSEQ_word argument);

/* Accesses; *where* is the number of the instruction. */
__CSEQ_word __CSEQ_load(const void *at, unsigned size, unsigned order, unsigned where);
void __CSEQ_store(const void *at, unsigned size, unsigned order, __CSEQ_word value, unsigned where);
void __CSEQ_fence(unsigned order, unsigned where);

/* The load and the store between these two are one read-modify-write with the order *success*. If there is no store, it
 * is a load with the order *failure*. */
void __CSEQ_begin(unsigned success, unsigned failure);
void __CSEQ_end(void);

/* A new thread; returns its number. And the result of a thread, after its end; returns an error where that does not
 * come because the thread is the same: then it hangs where that is asked about. */
enum { __CSEQ_JOINS_ITSELF = 35 };
unsigned __CSEQ_create(unsigned function, __CSEQ_word argument, unsigned where);
int __CSEQ_join(unsigned thread, __CSEQ_word *result, unsigned where);

/* Nothing joins the thread. */
void __CSEQ_detach(unsigned thread, unsigned where);

/* Memory: a block that nothing has been written to, unless it is zeroed, and the end of one. may_reuse: whether the
 * program would notice that it has the address of a freed one. The program: the linker section of memory that is not
 * written at first. */
void *__CSEQ_allocate(unsigned long size, int is_zeroed, int may_reuse, unsigned where);
void __CSEQ_free(const void *block, unsigned where);
extern char __start___cs_fresh[] __attribute__((weak)), __stop___cs_fresh[] __attribute__((weak));

/* A step of the thread library on one object: between the first two calls, its text is executed on the bytes of the
 * object, which have the state that the graph says; again and again, until __CSEQ_again returns 0. The step is a
 * read-modify-write with the order *success* if it changes the state, otherwise a load with the order *failure*.
 * Returns the object if a step with plain accesses has been the last one of that kind, which initialises or destroys.
 */
void *__CSEQ_open(void *object, unsigned size, unsigned success, unsigned failure, unsigned where);
int __CSEQ_again(void);

/* In the text: it waits until one of the threads in the set *who* acts, each of which has to; or until any thread does,
 * if that is 0. It waits for itself, if deadlocks are asked about. One of 0 … most; which is not possible. Misuse: the
 * claim *key* does not hold. */
_Noreturn void __CSEQ_block(__CSEQ_word who);
void __CSEQ_hang(void);
unsigned __CSEQ_alternative(unsigned most);
void __CSEQ_discard(void);
_Noreturn void __CSEQ_misuse(const char *key, unsigned where);

/* The thread begins to wait on a condition variable; it has woken up and has the mutex again. In between, in the text
 * of the first step: it has woken up before without a signal, and there has been none since. If it has done nothing
 * else, it could as well have stayed asleep. */
void __CSEQ_sleeps(void);
void __CSEQ_dozes(void);
void __CSEQ_wakes(int has_signal);

/* While it sleeps: the mutex that it needs then; null: it does not sleep any more. The program: the number of the
 * thread that has a mutex in this state plus one, or 0. */
void __CSEQ_asleep(const void *mutex, unsigned size, unsigned where);
unsigned __CSEQ_owner(const void *mutex) __attribute__((weak));

/* Main's thread ends before the process does. */
void __CSEQ_leave(void);

/* The number of the thread; one of 0 … count-1, any. */
unsigned __CSEQ_self(void);
unsigned __CSEQ_choice(unsigned count, unsigned where);

/* The thread is at the head of loop *number*; between two visits without an effect, its locals are the same. */
void __CSEQ_loop(unsigned number, const void *locals, unsigned size, unsigned where);

/* The claim of an instruction does not hold. */
_Noreturn void __CSEQ_violate(unsigned where);
/* The thread goes no further: an assumption does not hold, the process ends, a bound is reached. */
_Noreturn void __CSEQ_drop(void);
_Noreturn void __CSEQ_exit(void);
_Noreturn void __CSEQ_cut(unsigned where);
/* Not everything that the instruction can do is explored. */
void __CSEQ_note(unsigned where);
/* The program does what is not followed here: no verdict. */
_Noreturn void __CSEQ_refuse(const char *what, unsigned where);

/* The program: its objects, the last of which is followed by a null pointer. */
struct __CSEQ_object {
    const char *name;
    const void *at;
    unsigned long size;
};
extern const struct __CSEQ_object __CSEQ_objects[] __attribute__((weak));

/* The program: memory orders of its accesses that the explorer may be told to change, by their numbers. */
extern unsigned char __CSEQ_orders[] __attribute__((weak));

#endif
