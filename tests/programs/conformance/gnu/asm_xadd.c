/* asm with `lock xadd`: tickets
 * --rounds 2 */
#include "../program.h"

#ifdef BUG
#define LOCK
#else
#define LOCK "lock; "
#endif

typedef struct {
    volatile int counter;
} atomic_t;

atomic_t next;
int taken[2];

static inline int atomic_add_return(int i, atomic_t *v)
{
    int before = i;
    asm volatile(LOCK "xaddl %0, %1" : "+r"(i), "+m"(v->counter) : : "memory");
    return i + before;
}

void *worker(void *arg)
{
    taken[0] = atomic_add_return(1, &next);
    return arg;
}

int main(void)
{
    pthread_t t;
    int r;

    pthread_create(&t, 0, worker, 0);
    taken[1] = atomic_add_return(1, &next);
    pthread_join(t, 0);
    assert(taken[0] != taken[1]); // FAIL
    __asm__ __volatile__("lock; xaddl %0,%1" : "=r"(r), "=m"(next.counter) : "0"(5), "m"(next.counter) : "memory");
    assert(r == 2 && next.counter == 7);
    return 0;
}
