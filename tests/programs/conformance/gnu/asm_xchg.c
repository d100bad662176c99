/* asm with `xchg`: with memory, it locks without the prefix
 * --rounds 2 --unwind 2
 */
#include <assert.h>
#include <pthread.h>

int held, count;

static inline int exchange(volatile int *p, int new)
{
#ifdef BUG
    int old;
    asm volatile("movl %1, %0; movl %2, %1" : "=&r"(old), "+m"(*p) : "r"(new) : "memory");
    return old;
#else
    asm volatile("xchgl %0,%1" : "=r"(new) : "m"(*p), "0"(new) : "memory");
    return new;
#endif
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
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(count == 2); // FAIL
    return 0;
}
