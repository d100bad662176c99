/*
 * A ticket lock: three threads draw numbers and are served in their order, for
 * ever.  A counter that has reached its end draws no more.
 *
 * Drawing a number is one step.
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
        __VERIFIER_atomic_begin();
        mine = next_ticket;
        if (mine != UINT_MAX)
            next_ticket = mine + 1;
        __VERIFIER_atomic_end();
        if (mine == UINT_MAX)
            return NULL;
        while (now_serving != mine)
            ;
        inside++;
        assert(inside == 1);
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
