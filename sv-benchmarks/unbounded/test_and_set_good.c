/*
 * A lock that is taken by test-and-set, and threads without end that use it.
 *
 * Test and set are one step.
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

int lock;
unsigned balance;

static int test_and_set(int *word)
{
    return __sync_lock_test_and_set(word, 1);
}

void *client(void *arg)
{
    unsigned amount = __VERIFIER_nondet_uint();
    unsigned seen;

    (void)arg;
    while (test_and_set(&lock))
        ;
    seen = balance;
    balance = seen + amount;
    assert(balance - amount == seen);
    lock = 0;
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, client, NULL);
}
