/* asm with labels and jumps: a spin lock as in Linux 2.4, with its loop in a section of its own
 * --rounds 2 --unwind 2 */
#include "../program.h"

#define LOCK TWINS("", "lock ; ")

typedef struct {
    volatile unsigned int lock;
} spinlock_t;

spinlock_t lock = {1};
int count;

static inline void spin_lock(spinlock_t *l)
{
    __asm__ __volatile__("\n1:\t" LOCK "decb %0\n\t"
                         "js 2f\n"
                         ".subsection 1\n\t"
                         "2:\tcmpb $0,%0\n\t"
                         "rep;nop\n\t"
                         "jle 2b\n\t"
                         "jmp 1b\n"
                         ".previous"
                         : "=m"(l->lock)
                         :
                         : "memory");
}

static inline void spin_unlock(spinlock_t *l)
{
    __asm__ __volatile__("movb $1,%0" : "=m"(l->lock) : : "memory");
}

void *worker(void *arg)
{
    spin_lock(&lock);
    count++;
    spin_unlock(&lock);
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
