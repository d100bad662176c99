/* asm statements that only order accesses
 * --rounds 2 */
#include "../program.h"

#define barrier() __asm__ __volatile__("" ::: "memory")

int data, ready;

void *producer(void *arg)
{
    REPAIRED(data = 42;)
    REPAIRED(asm volatile("mfence" ::: "memory");)
    ready = 1;
    BUGGY(barrier();)
    BUGGY(data = 42;)
    return arg;
}

int main(void)
{
    START(t, producer);
    if (ready) {
        barrier();
        assert(data == 42); // FAIL
    }
    asm volatile("rep; nop" ::: "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory");
    pthread_join(t, 0);
    return 0;
}
