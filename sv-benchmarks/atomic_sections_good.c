/*
 * Two threads add to a balance in atomic sections.
 *
 * The load and the store are in one atomic section.
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
    assert(balance == 3);
    return 0;
}
