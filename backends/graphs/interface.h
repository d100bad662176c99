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
__CSEQ_word __CSEQ_thread(unsigned function, __CSEQ_word argument);

/* Accesses; *where* is the number of the instruction. */
__CSEQ_word __CSEQ_load(const void *at, unsigned size, unsigned order, unsigned where);
void __CSEQ_store(const void *at, unsigned size, unsigned order, __CSEQ_word value, unsigned where);
void __CSEQ_fence(unsigned order, unsigned where);

/* The load and the store between these two are one read-modify-write with the order *success*. If there is no store, it
 * is a load with the order *failure*. */
void __CSEQ_begin(unsigned success, unsigned failure);
void __CSEQ_end(void);

/* A new thread; returns its number. And the result of a thread, after its end. */
unsigned __CSEQ_create(unsigned function, __CSEQ_word argument, unsigned where);
__CSEQ_word __CSEQ_join(unsigned thread, unsigned where);

/* Memory: a block that nothing has been written to, and the end of one. may_reuse: whether the program would notice
 * that it has the address of a freed one. The program: the linker section of memory that is not written at first. */
void *__CSEQ_allocate(unsigned long size, int may_reuse, unsigned where);
void __CSEQ_free(const void *block, unsigned where);
extern char __start___cs_fresh[] __attribute__((weak)), __stop___cs_fresh[] __attribute__((weak));

/* Mutexes. ready: whether the object is statically initialised. Locking returns whether it has succeeded, which it
 * always has if it waits. */
int __CSEQ_lock(const void *mutex, int ready, int waits, unsigned where);
void __CSEQ_unlock(const void *mutex, int ready, unsigned where);
void __CSEQ_initialise(const void *mutex, int ready, unsigned where);

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
/* The program does what is not followed here: no verdict. */
_Noreturn void __CSEQ_refuse(const char *what, unsigned where);

/* The program: its objects, the last of which is followed by a null pointer. */
struct __CSEQ_object {
    const char *name;
    const void *at;
    unsigned long size;
};
extern const struct __CSEQ_object __CSEQ_objects[] __attribute__((weak));

#endif
