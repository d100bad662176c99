/*
 * A lock that is taken by test-and-set, and threads without end that use it.
 *
 * Test and set are two steps.
 *
 *   t1: sees it free | t2: sees it free, too | both are in
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

int lock;
unsigned balance;

static int test_and_set(int *word)
{
    int before = *word;

    *word = 1;
    return before;
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
    assert(balance - amount == seen); // FAIL
    lock = 0;
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, client, NULL);
}
