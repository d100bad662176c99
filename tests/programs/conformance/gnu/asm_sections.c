/* asm as in the headers of Linux: sections of data about the code, symbols at file level, `asm goto`
 * --rounds 2 */
#include "../program.h"

#define LOCK TWINS("", "lock; ")
#define LOCK_PREFIX ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\t" LOCK
#define barrier() __asm__ __volatile__("" : : : "memory")

asm(".globl start_of_it\n\t.type start_of_it, @object\n\t.section .note,\"a\"\n\t.long 1\n\t.previous");

int users = 2, last;

static inline _Bool dec_and_test(int *v)
{
    asm goto(LOCK_PREFIX "decl %0; je %l[zero]" : : "m"(*v) : "memory", "cc" : zero);
    return 0;
zero:
    return 1;
}

void *worker(void *arg)
{
    if (dec_and_test(&users))
        last++;
    return arg;
}

int main(void)
{
    pthread_t t;
    int hidden;

    pthread_create(&t, 0, worker, 0);
    worker(0);
    barrier();
    pthread_join(t, 0);
    assert(users == 0); // FAIL
    assert(last == 1);
    __asm__("" : "=r"(hidden) : "0"(last));
    assert(hidden == 1);
    return 0;
}
