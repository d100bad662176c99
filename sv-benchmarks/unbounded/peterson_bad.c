/*
 * Peterson's mutual exclusion in endless loops: two cashiers put any amount
 * into one till, and look whether it is there.
 *
 * The turn is given away before the flag is raised.
 *
 *   t1: gives the turn away | t2: gives the turn away, enters |
 *   t1: raises its flag, has the turn, enters
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int wants_a, wants_b, turn;
int till;

void *cashier_a(void *arg)
{
    int amount;

    (void)arg;
    for (;;) {
        amount = __VERIFIER_nondet_int();
        turn = 1;
        wants_a = 1;
        while (wants_b && turn == 1)
            ;
        till = amount;
        assert(till == amount); // FAIL
        wants_a = 0;
    }
}

void *cashier_b(void *arg)
{
    (void)arg;
    for (;;) {
        wants_b = 1;
        turn = 0;
        while (wants_a && turn == 0)
            ;
        till = 0;
        wants_b = 0;
    }
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, cashier_a, NULL);
    pthread_create(&b, NULL, cashier_b, NULL);
    pthread_join(a, NULL);
    return 0;
}
