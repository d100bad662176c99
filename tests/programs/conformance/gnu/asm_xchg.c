/* asm with `xchg`: with memory, it locks without the prefix
 * --rounds 2 --unwind 2 */
#include "../program.h"

int held, count;

static inline int exchange(volatile int *p, int new)
{
    BUGGY(int old;)
    BUGGY(asm volatile("movl %1, %0; movl %2, %1" : "=&r"(old), "+m"(*p) : "r"(new) : "memory");)
    BUGGY(return old;)
    REPAIRED(asm volatile("xchgl %0,%1" : "=r"(new) : "m"(*p), "0"(new) : "memory");)
    REPAIRED(return new;)
}

void *worker(void *arg)
{
    while (exchange(&held, 1))
        asm volatile("pause" ::: "memory");
    count++;
    asm volatile("movl $0, %0" : "=m"(held) : : "memory");
    return arg;
}

int main(void)
{
    START(t, worker);
    worker(0);
    pthread_join(t, 0);
    assert(count == 2); // FAIL
    return 0;
}
