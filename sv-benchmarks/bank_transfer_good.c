/*
 * A transfer between two accounts keeps their sum.
 *
 * The auditor adds the two balances under the lock.
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
    pthread_mutex_lock(&lock);
    sum = a + b;
    pthread_mutex_unlock(&lock);
    assert(sum == 30);
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
