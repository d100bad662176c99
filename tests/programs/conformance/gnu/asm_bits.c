/* asm with `lock bts`, `btr` and `btc`, with `setc`, `sbb` and in other words than the first
 * --rounds 2 */
#include "../program.h"

#define LOCK TWINS("", "lock; ")

unsigned long bits[2];
int won;

static inline int test_and_set_bit(long nr, volatile unsigned long *addr)
{
    unsigned char old;
    asm volatile(LOCK "btsq %2,%1\n\tsetc %0" : "=q"(old), "+m"(*addr) : "Ir"(nr) : "memory");
    return old;
}

static inline int test_and_change_bit(int nr, volatile unsigned long *addr)
{
    int old;
    asm volatile("lock; btcl %2,%1\n\tsbbl %0,%0" : "=r"(old), "+m"(*addr) : "Ir"(nr) : "memory");
    return old;
}

void *worker(void *arg)
{
    won += !test_and_set_bit(65, bits);
    return arg;
}

int main(void)
{
    pthread_t t;
    int mine;

    pthread_create(&t, 0, worker, 0);
    mine = !test_and_set_bit(65, bits);
    pthread_join(t, 0);
    assert(mine + won == 1); // FAIL
    assert(bits[0] == 0 && bits[1] == 2);
    assert(test_and_change_bit(3, bits) == 0 && bits[0] == 8 && test_and_change_bit(3, bits) == -1);
    asm volatile("lock; btrq $1, %0" : "+m"(bits[1]));
    assert(bits[0] == 0 && bits[1] == 0);
    return 0;
}
