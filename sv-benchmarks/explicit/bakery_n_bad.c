/*
 * Lamport's bakery for N threads, each of which is served ROUNDS times: for
 * ever would be forever growing tickets.
 *
 * A thread compares tickets while another one may still be choosing.
 *
 *   t1: sees no ticket | t2: ticket 1, sees none of t1, enters, inside = 1
 *   | t1: ticket 1 as well, comes first, enters, inside = 0 | t2: inside is not 1
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

int choosing[N];
int ticket[N];
int inside;

void *customer(void *arg)
{
    int me = (int)(long)arg;

    for (int round = 0; round < ROUNDS; round++) {
        int most = 0;

        choosing[me] = 1;
        for (int k = 0; k < N; k++) {
            int theirs = ticket[k];

            if (theirs > most)
                most = theirs;
        }
        ticket[me] = most + 1;
        choosing[me] = 0;

        for (int k = 0; k < N; k++) {
            int theirs;

            if (k == me)
                continue;
            do
                theirs = ticket[k];
            while (theirs != 0 && (theirs < most + 1 || (theirs == most + 1 && k < me)));
        }

        inside = me;
        assert(inside == me); // FAIL

        ticket[me] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, customer, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
