/*
 * Lamport's bakery for two customers: draw a number one above the other's,
 * then wait for everybody with a smaller number (on a tie: a smaller name).
 *
 * The choosing flags were left out, so a customer may overlook somebody who
 * has already decided on a number but not yet shown it.
 *
 *   t1: sees 0, will show 1 | t2: shows 1, sees t1's 0: enters, owner = 1
 *   | t1: shows 1, wins the tie: enters, owner = 0 | t2: owner is not 1
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int number[2];
int owner;

void *customer(void *arg)
{
    int me = (int)(long)arg;
    int other = 1 - me;
    int mine, theirs;

    mine = number[other] + 1;
    number[me] = mine;

    theirs = number[other];
    __VERIFIER_assume(theirs == 0 || mine < theirs || (mine == theirs && me < other));

    owner = me;
    assert(owner == me); // FAIL

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
