/*
 * PRODUCERS producers and as many consumers share one slot, for ever; `turn`
 * says who may act next.
 *
 * To see that it is one's turn, and to take it, is one atomic step.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif

enum { PRODUCE, CONSUME, BUSY };

int turn = PRODUCE;
int items;

void take_turn(int wanted)
{
    int expected;

    do
        expected = wanted;
    while (!__atomic_compare_exchange_n(&turn, &expected, BUSY, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

void *producer(void *arg)
{
    (void)arg;
    for (;;) {
        take_turn(PRODUCE);
        assert(items == 0);
        items++;
        turn = CONSUME;
    }
    return NULL;
}

void *consumer(void *arg)
{
    (void)arg;
    for (;;) {
        take_turn(CONSUME);
        assert(items == 1);
        items--;
        turn = PRODUCE;
    }
    return NULL;
}

int main(void)
{
    pthread_t p[PRODUCERS], c[PRODUCERS];

    for (int i = 0; i < PRODUCERS; i++) {
        pthread_create(&p[i], NULL, producer, NULL);
        pthread_create(&c[i], NULL, consumer, NULL);
    }
    for (int i = 0; i < PRODUCERS; i++) {
        pthread_join(p[i], NULL);
        pthread_join(c[i], NULL);
    }
    return 0;
}
