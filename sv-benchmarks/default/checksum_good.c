/*
 * A request whose checksum is right is handled with the same lock as others.
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
        pthread_mutex_lock(&lock);
        balance = balance + 10;
        pthread_mutex_unlock(&lock);
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
    assert(balance == 20);
    return 0;
}
