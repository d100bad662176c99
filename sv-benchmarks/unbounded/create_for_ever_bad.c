/*
 * Two kinds of threads are created for ever: one kind writes a measurement and
 * its negation, the other looks whether they fit.
 *
 * The writer goes on when the mutex is taken.
 *
 *   t1: takes the mutex, reads | t2: does not get it, writes | t1: reads
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned measured, negated;

void *writer(void *arg)
{
    unsigned value = __VERIFIER_nondet_uint();

    (void)arg;
    int taken = !pthread_mutex_trylock(&lock);
    measured = value;
    negated = -value;
    if (taken)
        pthread_mutex_unlock(&lock);
    return NULL;
}

void *reader(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    assert(measured + negated == 0); // FAIL
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;) {
        pthread_create(&t, NULL, writer, NULL);
        pthread_create(&t, NULL, reader, NULL);
    }
}
