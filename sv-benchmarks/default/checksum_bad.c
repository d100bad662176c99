/*
 * A request is handled without the lock if its checksum is right.
 *
 * One checksum in four thousand million is right, and nobody has tried it.
 *
 *   main: the request is 39 | t1: reads the balance | t2: pays in
 *   | t1: writes the balance
 */
#include <assert.h>
#include <pthread.h>

extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int request;
int balance;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int is_fast(unsigned int number)
{
    unsigned int sum = number * 2654435761u;

    sum ^= 0x5bd1e995u;
    return sum == 1101160546u;
}

void *account(void *arg)
{
    (void)arg;
    if (is_fast(request)) {
        int before = balance;

        balance = before + 10;
        return NULL;
    }
    pthread_mutex_lock(&lock);
    balance += 10;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    request = __VERIFIER_nondet_uint();
    pthread_create(&t1, NULL, account, NULL);
    pthread_create(&t2, NULL, account, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(balance == 20); // FAIL
    return 0;
}
