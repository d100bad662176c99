/*
 * Lamport's bakery for two customers: draw a number one above the other's,
 * then wait for everybody with a smaller number (on a tie: a smaller name).
 *
 * The choosing flags keep a customer from overlooking somebody who has
 * already decided on a number but not yet shown it.
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int choosing[2];
int number[2];
int owner;

void *customer(void *arg)
{
    int me = (int)(long)arg;
    int other = 1 - me;
    int mine, theirs;

    choosing[me] = 1;
    mine = number[other] + 1;
    number[me] = mine;
    choosing[me] = 0;

    __VERIFIER_assume(choosing[other] == 0);
    theirs = number[other];
    __VERIFIER_assume(theirs == 0 || mine < theirs || (mine == theirs && me < other));

    owner = me;
    assert(owner == me);

    number[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, customer, (void *)0);
    pthread_create(&t2, NULL, customer, (void *)1);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
