/* asm: locked instructions and single moves do not race with each other, plain read-modify-writes do
 * --rounds 4 --race */
#include "../program.h"

int count, flag;

void *worker(void *arg)
{
    asm volatile("lock; incl %0" : "+m"(count)); // RACE
    asm volatile("movl $1, %0" : "=m"(flag));
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen;

    pthread_create(&t, 0, worker, 0);
    asm volatile(TWINS("incl %0", "lock; incl %0") : "+m"(count)); // RACE
    asm volatile("movl %1, %0" : "=r"(seen) : "m"(flag));
    pthread_join(t, 0);
    return 0;
}
