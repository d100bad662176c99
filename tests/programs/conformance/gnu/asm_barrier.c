/* asm statements that only order accesses
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

#define barrier() __asm__ __volatile__("" ::: "memory")

int data, ready;

void *producer(void *arg)
{
#ifdef BUG
    ready = 1;
    barrier();
    data = 42;
#else
    data = 42;
    asm volatile("mfence" ::: "memory");
    ready = 1;
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, producer, 0);
    if (ready) {
        barrier();
        assert(data == 42); // FAIL
    }
    asm volatile("rep; nop" ::: "memory");
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory");
    pthread_join(t, 0);
    return 0;
}
