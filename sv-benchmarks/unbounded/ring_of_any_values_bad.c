/*
 * A ring buffer of four places: the producer puts any number that is not
 * negative into it, the consumer takes them out, for ever.
 *
 * Only the first number below zero is dropped, and the next one is taken as it is.
 *
 *   t1: asks again, puts -1 | t2: takes -1
 */
#include <assert.h>
#include <pthread.h>

#define SIZE 4

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ring[SIZE];
int first, filled;

void *producer(void *arg)
{
    int value;

    (void)arg;
    for (;;) {
        value = __VERIFIER_nondet_int();
        if (value < 0)
            value = __VERIFIER_nondet_int();
        pthread_mutex_lock(&lock);
        if (filled < SIZE) {
            ring[(first + filled) % SIZE] = value;
            filled++;
        }
        pthread_mutex_unlock(&lock);
    }
}

void *consumer(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        if (filled > 0) {
            assert(ring[first] >= 0); // FAIL
            first = (first + 1) % SIZE;
            filled--;
        }
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    return 0;
}
