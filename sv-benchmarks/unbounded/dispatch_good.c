/*
 * Clients without end ask for one of three operations on an account, by a
 * pointer to a function.
 *
 * What is not there is not paid out.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance;

static void deposit(int amount)
{
    if (balance < 1000000)
        balance += amount;
}

static void withdraw(int amount)
{
    if (amount <= balance)
        balance -= amount;
}

static void inspect(int amount)
{
    (void)amount;
    assert(balance >= 0);
}

void *client(void *arg)
{
    int amount = __VERIFIER_nondet_int();
    int choice = __VERIFIER_nondet_int();
    void (*operation)(int) = inspect;

    (void)arg;
    if (amount < 0 || amount > 1000)
        return NULL;
    if (choice == 1)
        operation = deposit;
    else if (choice == 2)
        operation = withdraw;
    pthread_mutex_lock(&lock);
    operation(amount);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, client, NULL);
}
