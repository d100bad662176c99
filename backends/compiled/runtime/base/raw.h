/* System calls that nothing stands in for: `syscall` itself is one of the functions that the runtime defines. */
#ifndef CSEQ_RAW_H
#define CSEQ_RAW_H

#include <stdint.h>
#include <sys/syscall.h>

#if !defined(__x86_64__)
#error "the runtime knows the system calls of x86-64 only"
#endif

/* The result of the kernel: a negative errno where it fails. */
static inline long cs_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

#define CS_SYSCALL1(number, a) cs_syscall(number, (long)(a), 0, 0, 0, 0, 0)
#define CS_SYSCALL2(number, a, b) cs_syscall(number, (long)(a), (long)(b), 0, 0, 0, 0)
#define CS_SYSCALL3(number, a, b, c) cs_syscall(number, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define CS_SYSCALL4(number, a, b, c, d) cs_syscall(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define CS_SYSCALL6(number, a, b, c, d, e, f) \
    cs_syscall(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
