/* asm with parts of registers: a ticket lock as in Linux 2.6, and a result in the register of a wider operand
 * --rounds 2 --unwind 2 */
#include <stdbool.h>
#include "../program.h"

#define LOCK TWINS("", "lock; ")

typedef struct {
    unsigned int slock;
} spinlock_t;

spinlock_t guard;
int count, value;

static void spin_lock(spinlock_t *lock)
{
    short inc = 0x0100;

    __asm__ __volatile__(LOCK "xaddw %w0, %1\n"
                              "1:\t"
                              "cmpb %h0, %b0\n\t"
                              "je 2f\n\t"
                              "rep ; nop\n\t"
                              "movb %1, %b0\n\t"
                              "jmp 1b\n"
                              "2:"
                         : "+Q"(inc), "+m"(lock->slock)
                         :
                         : "memory", "cc");
}

static void spin_unlock(spinlock_t *lock)
{
    __asm__ __volatile__("incb %0" : "+m"(lock->slock) : : "memory", "cc");
}

static bool cas(int *target, int compare, int set)
{
    bool z;
    __asm__ __volatile__("lock cmpxchgl %2, %0; setz %1"
                         : "+m"(*target), "=a"(z)
                         : "q"(set), "a"(compare)
                         : "memory", "cc");
    return z;
}

void *worker(void *arg)
{
    spin_lock(&guard);
    count++;
    spin_unlock(&guard);
    return arg;
}

int main(void)
{
    START(t, worker);
    worker(0);
    pthread_join(t, 0);
    REPAIRED(assert(guard.slock == 0x0202);)
    assert(count == 2); // FAIL
    assert(cas(&value, 0, 256) && value == 256 && !cas(&value, 0, 1) && value == 256);
    return 0;
}
