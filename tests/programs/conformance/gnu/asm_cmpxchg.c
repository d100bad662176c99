/* asm with `lock cmpxchg`: of numbers with `"=a"`, of pointers, with `sete` and with the flag output `"=@ccz"`
 * --rounds 2 --unwind 2 */
#include "../program.h"

#define LOCK TWINS("", "lock; ")

struct node {
    struct node *next;
};

struct node *head, first, second;
int state;

static inline int cmpxchg(volatile int *p, int old, int new)
{
    int prev;
    __asm__ __volatile__(LOCK "cmpxchgl %1,%2" : "=a"(prev) : "r"(new), "m"(*p), "0"(old) : "memory");
    return prev;
}

static inline unsigned char cas(void **p, void *old, void *new)
{
    unsigned char done;
    __asm__ __volatile__("lock; cmpxchgq %[new],%[p]\n\t"
                         "sete %[done]"
                         : [done] "=q"(done), [p] "+m"(*p), "+a"(old)
                         : [new] "r"(new)
                         : "memory", "cc");
    return done;
}

static inline _Bool cas_flag(int *p, int *expected, int new)
{
    _Bool done;
    asm volatile("lock cmpxchgl %[new], %[p]" : "=@ccz"(done), [p] "+m"(*p), [old] "+a"(*expected) : [new] "r"(new));
    return done;
}

void push(struct node *n)
{
    do
        n->next = head;
    while (!cas((void **)&head, n->next, n));
}

int won;

void *worker(void *arg)
{
    push(&first);
    won += cmpxchg(&state, 0, 1) == 0;
    return arg;
}

int main(void)
{
    pthread_t t;
    int mine, expected = 5;

    pthread_create(&t, 0, worker, 0);
    mine = cmpxchg(&state, 0, 2) == 0;
    pthread_join(t, 0);
    assert(mine + won == 1); // FAIL
    push(&second);
    assert(head == &second && head->next == &first && first.next == 0);
    state = 3;
    assert(!cas_flag(&state, &expected, 4) && expected == 3);
    assert(cas_flag(&state, &expected, 4) && state == 4);
    return 0;
}
