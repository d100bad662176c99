"""Preprocessed declarations of glibc's headers."""

X86_64 = """\
typedef unsigned long int pthread_t;
typedef union { struct { int __lock; unsigned int __count; int __owner; unsigned int __nusers; int __kind;
short __spins; short __elision; struct { void *__prev, *__next; } __list; } __data; char __size[40]; long int __align;
} pthread_mutex_t;
typedef union { struct { struct { int __low[1]; } __wseq; int __g1; int __refs[2]; } __data; char __size[48];
long long int __align; } pthread_cond_t;
union pthread_attr_t { char __size[56]; long int __align; };
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create (pthread_t *__restrict __newthread, const pthread_attr_t *__restrict __attr,
void *(*__start_routine) (void *), void *__restrict __arg) __attribute__ ((__nothrow__)) ;
extern int pthread_mutex_lock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__ , __leaf__));
extern int pthread_cond_signal (pthread_cond_t *__cond);
extern void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function)
__attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
enum { PTHREAD_MUTEX_TIMED_NP, PTHREAD_MUTEX_RECURSIVE_NP, PTHREAD_MUTEX_ERRORCHECK_NP, PTHREAD_MUTEX_ADAPTIVE_NP };
"""
"""Declarations of the thread library and assert.h, on x86-64."""
