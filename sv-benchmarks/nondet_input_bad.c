/*
 * Two threads reserve any number of seats, 1 to 10 each; there are 10.
 *
 * Test and reservation are not one step.
 *
 *   t1: 6 more are fine | t2: 6 more are fine, reserves them
 *   | t1: reserves 6, that makes 12
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

#define SEATS 10

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int reserved = 0;

void *customer(void *arg)
{
    int wish = __VERIFIER_nondet_int();
    int fine;

    (void)arg;
    __VERIFIER_assume(1 <= wish && wish <= SEATS);

    pthread_mutex_lock(&lock);
    fine = reserved + wish <= SEATS;
    pthread_mutex_unlock(&lock);
    if (fine) {
        pthread_mutex_lock(&lock);
        reserved += wish;
        assert(reserved <= SEATS); // FAIL
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, customer, NULL);
    pthread_create(&t2, NULL, customer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
