/*
 * Peterson's mutual exclusion with a descriptor per thread, after Fig. 1 of
 * "Verifying Multi-threaded C Programs with SPIN" (pancam).  Two threads go in
 * and out for ever.
 *
 * Nobody is inside together with another one.  What the algorithm remembers of
 * the state are the two flags, the turn, and how many are inside: abstract().
 */
#include <assert.h>
#include <pthread.h>

struct descriptor {
    volatile int *mine, *other;
    int last;
};

struct abstraction {
    char flag0, flag1, turn, count;
};

volatile int flag0 = 0, flag1 = 0, turn = 0;
int count = 0;

void descriptor_init(struct descriptor *d, int id)
{
    d->mine = id ? &flag1 : &flag0;
    d->other = id ? &flag0 : &flag1;
    d->last = id;
}

void lock(struct descriptor *d)
{
    *d->mine = 1;
    turn = d->last;
    while (*d->other == 1 && turn == d->last)
        ;
}

void unlock(struct descriptor *d)
{
    *d->mine = 0;
}

int check_exclusion(void)
{
    return count == 0 || count == 1;
}

void abstract(struct abstraction *to)
{
    to->flag0 = flag0;
    to->flag1 = flag1;
    to->turn = turn;
    to->count = count;
}

void critical_section(void)
{
    count++;
    assert(check_exclusion());
    count--;
}

void *process(void *arg)
{
    struct descriptor d;

    descriptor_init(&d, (int)(long)arg);
    for (;;) {
        lock(&d);
        critical_section();
        unlock(&d);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, process, (void *)0);
    pthread_create(&t2, NULL, process, (void *)1);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
