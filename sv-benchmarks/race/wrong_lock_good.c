/*
 * Money is moved between two accounts, each with a lock of its own.
 *
 * Each balance changes under the lock of its own account.
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
    from->balance -= amount;
    pthread_mutex_unlock(&from->lock);

    pthread_mutex_lock(&to->lock);
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
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
