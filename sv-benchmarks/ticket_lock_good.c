/*
 * A ticket lock: draw a ticket, wait until it is called.
 *
 * Drawing a ticket is one atomic step.
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int next_ticket = 0;
int now_serving = 0;
int owner = 0;

int __VERIFIER_atomic_inc(int *cell)
{
    int old = *cell;

    *cell = old + 1;
    return old;
}

void *customer(void *arg)
{
    int me = (int)(long)arg;
    int ticket = __VERIFIER_atomic_inc(&next_ticket);

    __VERIFIER_assume(now_serving == ticket); /* waits for its call */
    owner = me;
    assert(owner == me);
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
