/*
 * Transfers between bank accounts, each with its mutex, through pointers.
 *
 * A transfer locks the account at the lower address first, whoever pays.
 */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct order {
    struct account *from;
    struct account *to;
    int amount;
};

struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_t *first = &from->lock;
    pthread_mutex_t *second = &to->lock;

    if (from > to) {
        first = &to->lock;
        second = &from->lock;
    }
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

void *clerk(void *arg)
{
    struct order *order = arg;

    transfer(order->from, order->to, order->amount);
    return NULL;
}

int main(void)
{
    struct account *alice = &accounts[0], *bob = &accounts[1];
    struct order there = {alice, bob, 30}, back = {bob, alice, 50};
    pthread_t t1, t2;

    pthread_create(&t1, NULL, clerk, &there);
    pthread_create(&t2, NULL, clerk, &back);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
