/* asm with `lock`: `inc`, `dec`, `add`, `sub`, `or`, `and`, `neg`, `not` are one step, and without it two
 * --rounds 2 */
#include "../program.h"

#define LOCK TWINS("", "lock; ")

int count = 1;
unsigned char flags = 0x81;
long total = 10;

static void change(void)
{
    __asm__ __volatile__(LOCK "incl %0" : "+m"(count));
    __asm__ __volatile__("lock addq %1, %0" : "=m"(total) : "er"(5L), "m"(total) : "memory", "cc");
    asm("lock\n\torb %b1,%[flags]" : [flags] "+m"(flags) : "iq"(2));
}

void *worker(void *arg)
{
    change();
    return arg;
}

int main(void)
{
    START(t, worker);
    change();
    pthread_join(t, 0);
    assert(count == 3); // FAIL
    assert(total == 20 && flags == 0x83);
    asm volatile("lock; negl %0; lock; notq %1" : "+m"(count), "+m"(total));
    asm volatile("lock; decl (%0); lock; andb $1, %1; lock; subq %2, %3" ::"r"(&count), "m"(flags), "r"(1L), "m"(total));
    assert(count == -4 && total == -22 && flags == 1);
    return 0;
}
