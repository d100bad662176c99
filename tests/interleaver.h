/* What the primitives of a translation mean where its threads are coroutines; in front of the program. */
void prune(void);
void fails(const char *);
void atomic(int);
void offer(void);
void start(int, void (*)(void));
void leave(void);
int choose_bool(void);
int choose_waiter(void);
void *memset(void *, int, unsigned long);

unsigned __CSEQ_thread;
enum { __CSEQ_THREADS = 6 };

#define __CSEQ_wait(holds) do { if (!(holds)) prune(); } while (0)
#define __CSEQ_assume(holds) __CSEQ_wait(holds)
#define __CSEQ_unwound(holds, what) __CSEQ_wait(holds)
#define __CSEQ_fail_unless(holds, what) do { if (!(holds)) fails(what); } while (0)
#define __CSEQ_assert(holds, what) __CSEQ_fail_unless(holds, what)
#define __CSEQ_stop() prune()
#define __CSEQ_havoc(object, size) memset(object, 0xA5, size)
#define __CSEQ_zero(object, size) memset(object, 0, size)
#define __VERIFIER_atomic_begin() atomic(1)
#define __VERIFIER_atomic_end() atomic(-1)
#define __CSEQ_nondet_bool() choose_bool()
#define __CSEQ_nondet_ulonglong() (1ULL << choose_waiter())
#define __CSEQ_nondet_uchar() 0xA5
#define __CSEQ_nondet_ushort() 0xA5A5
#define __CSEQ_nondet_int() 0x5A5A5A5A
#define __CSEQ_nondet_uint() 0xA5A5A5A5
#define __CSEQ_nondet_long() 0x5A5A5A5AL
#define __CSEQ_nondet_ulong() 0xA5A5A5A5UL
#define __CSEQ_nondet_pointer() ((void *)16)
