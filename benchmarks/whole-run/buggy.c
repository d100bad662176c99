/* A cashier and a customer share a till; the cashier counts it before he has the lock. */
#include <assert.h>
#include <pthread.h>

#define PRICE 3
#define PIECES 2

pthread_mutex_t till_lock = PTHREAD_MUTEX_INITIALIZER;
int till = 10;
int stock = PIECES + 1;
int sold = 0;

void *cashier(void *arg)
{
    int paid;

    (void)arg;
    paid = till + PRICE;
    pthread_mutex_lock(&till_lock);
    till = paid;
    sold++;
    pthread_mutex_unlock(&till_lock);
    return NULL;
}

void *customer(void *arg)
{
    for (int i = 0; i < PIECES; i++) {
        pthread_mutex_lock(&till_lock);
        if (stock > 0) {
            stock--;
            till += PRICE;
            sold++;
        }
        pthread_mutex_unlock(&till_lock);
    }
    return arg;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, cashier, NULL);
    pthread_create(&t2, NULL, customer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(till == 10 + sold * PRICE); // FAIL
    return 0;
}
