/*
 * A ticket lock: three threads draw numbers and are served in their order, for
 * ever.  A counter that has reached its end draws no more.
 *
 * Drawing a number is a read and a write.
 *
 *   t1: reads 0 | t2: draws 0, too | both are served
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned next_ticket, now_serving;
int inside;

void *customer(void *arg)
{
    unsigned mine;

    (void)arg;
    for (;;) {
        mine = next_ticket;
        if (mine != UINT_MAX)
            next_ticket = mine + 1;
        if (mine == UINT_MAX)
            return NULL;
        while (now_serving != mine)
            ;
        inside++;
        assert(inside == 1); // FAIL
        inside--;
        now_serving++;
    }
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, customer, NULL);
    pthread_create(&t2, NULL, customer, NULL);
    pthread_create(&t3, NULL, customer, NULL);
    pthread_join(t1, NULL);
    return 0;
}
