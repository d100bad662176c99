/*
 * A lock that is taken by test-and-set, and threads without end that use it.
 *
 * Test and set are two steps.
 *
 *   t1: sees it free | t2: sees it free, too | both are in
 */
#include <assert.h>
#include <pthread.h>

int lock, balance;

static int test_and_set(int *word)
{
    int before = *word;

    *word = 1;
    return before;
}

void *client(void *arg)
{
    int seen;

    (void)arg;
    while (test_and_set(&lock))
        ;
    seen = balance;
    balance = seen ^ 1;
    assert(balance == (seen ^ 1)); // FAIL
    lock = 0;
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, client, NULL);
}
