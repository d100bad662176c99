/*
 * Two threads add any numbers to two sums, to both the same, for ever.
 *
 * One of them lets the lock go between its two additions.
 *
 *   t1: adds 1 to the first sum | t2: adds to both, compares
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned sum, copy;

void *quick(void *arg)
{
    unsigned step;

    (void)arg;
    for (;;) {
        step = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&lock);
        sum += step;
        copy += step;
        assert(sum == copy); // FAIL
        pthread_mutex_unlock(&lock);
    }
}

void *slow(void *arg)
{
    unsigned step;

    (void)arg;
    for (;;) {
        step = __VERIFIER_nondet_uint() % 10;
        pthread_mutex_lock(&lock);
        sum += step;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        copy += step;
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, quick, NULL);
    pthread_create(&t2, NULL, slow, NULL);
    pthread_join(t1, NULL);
    return 0;
}
