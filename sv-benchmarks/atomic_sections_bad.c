/*
 * Two threads add to a balance in atomic sections.
 *
 * The load and the store are atomic each, but not together.
 *
 *   t1: loads 0 | t2: loads 0, stores 2 | t1: stores 1 | main: 3 is missing
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int balance = 0;

void *deposit(void *arg)
{
    int amount = (int)(long)arg;
    int before;

    __VERIFIER_atomic_begin();
    before = balance;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    balance = before + amount;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, deposit, (void *)1);
    pthread_create(&t2, NULL, deposit, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(balance == 3); // FAIL
    return 0;
}
