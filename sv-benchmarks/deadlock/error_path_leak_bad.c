/*
 * Two threads withdraw money under a lock; then main looks at what is left.
 *
 * Where the money does not suffice the function returns without unlocking, and the
 * thread ends with the lock.
 *
 *   t1: withdraws 80 | t2: 60 are not there, ends with the lock
 *   | main: waits for the lock
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;

static int withdraw(int amount)
{
    pthread_mutex_lock(&lock);
    if (balance < amount)
        return -1;
    balance -= amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int look(void)
{
    int left;

    pthread_mutex_lock(&lock); // DEADLOCK
    left = balance;
    pthread_mutex_unlock(&lock);
    return left;
}

void *customer(void *arg)
{
    int *amount = arg;

    if (withdraw(*amount) != 0)
        *amount = 0;
    return NULL;
}

int main(void)
{
    int first = 80, second = 60;
    pthread_t t1, t2;

    pthread_create(&t1, NULL, customer, &first);
    pthread_create(&t2, NULL, customer, &second);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return look() + first + second != 100;
}
