/*
 * Transfers between bank accounts, each with its mutex, through pointers.
 *
 * A transfer locks the account that pays, then the one that gets the money.  Two
 * customers send money to each other.
 *
 *   t1 (alice to bob): locks alice | t2 (bob to alice): locks bob, waits for alice
 *   | t1: waits for bob
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

    pthread_mutex_lock(first);
    pthread_mutex_lock(second); // DEADLOCK
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
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return 0;
}
