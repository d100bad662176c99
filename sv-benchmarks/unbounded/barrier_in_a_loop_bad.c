/*
 * Two threads step through generations of any size between barriers.
 *
 * Nothing stands after the reading.
 *
 *   t1: writes | t2: passes | t1: passes, writes again | t2: compares
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_barrier_t barrier;
int cell, copy;

void *writer(void *arg)
{
    int value;

    (void)arg;
    for (;;) {
        value = __VERIFIER_nondet_int();
        cell = value;
        copy = value;
        pthread_barrier_wait(&barrier);
    }
}

void *reader(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_barrier_wait(&barrier);
        assert(cell == copy); // FAIL
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    return 0;
}
