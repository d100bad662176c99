/*
 * A ticket lock: draw a ticket, wait until it is called.
 *
 * Drawing is a load and a store, so two threads can draw the same ticket.
 *
 *   t1: reads ticket 0 | t2: draws ticket 0, enters, owner = 2
 *   | t1: draws ticket 0 as well, enters, owner = 1 | t2: owner is not 2
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int next_ticket = 0;
int now_serving = 0;
int owner = 0;

int inc(int *cell)
{
    int old = *cell;

    *cell = old + 1;
    return old;
}

void *customer(void *arg)
{
    int me = (int)(long)arg;
    int ticket = inc(&next_ticket);

    __VERIFIER_assume(now_serving == ticket); /* waits for its call */
    owner = me;
    assert(owner == me); // FAIL
    now_serving = ticket + 1;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, customer, (void *)1);
    pthread_create(&t2, NULL, customer, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
