/*
 * A transfer between two accounts keeps their sum.
 *
 * The auditor adds the two balances without the lock.
 *
 *   t1: takes 3 from a | t2: adds 7 and 20: 3 are missing
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int a = 10;
int b = 20;

void *transfer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    a -= 3;
    b += 3;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *audit(void *arg)
{
    int sum;

    (void)arg;
    sum = a + b;
    assert(sum == 30); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, transfer, NULL);
    pthread_create(&t2, NULL, audit, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
