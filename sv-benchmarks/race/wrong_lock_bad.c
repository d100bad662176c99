/*
 * Money is moved between two accounts, each with a lock of its own.
 *
 * Both balances change under the lock of the account that pays.  Of two
 * transfers in opposite directions, each holds the wrong lock for one change.
 *
 *   t1: has a's lock, is about to change a | t2: has b's lock, is about to change a
 */
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    long balance;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account b = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, long amount)
{
    pthread_mutex_lock(&from->lock);
    from->balance -= amount; // RACE
    to->balance += amount;   // RACE
    pthread_mutex_unlock(&from->lock);
}

static void *rent(void *arg)
{
    (void)arg;
    transfer(&a, &b, 30);
    return NULL;
}

static void *refund(void *arg)
{
    (void)arg;
    transfer(&b, &a, 10);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, rent, NULL);
    pthread_create(&t2, NULL, refund, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
