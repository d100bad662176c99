/*
 * Two kinds of threads are created for ever: one kind writes a measurement and
 * its negation, the other looks whether they fit.
 *
 * Both hold the mutex.
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
    if (pthread_mutex_trylock(&lock))
        return NULL;
    measured = value;
    negated = -value;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *reader(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    assert(measured + negated == 0);
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
