/*
 * Lamport's bakery for N threads, each of which is served ROUNDS times: for
 * ever would be forever growing tickets.
 *
 * Before it compares tickets, a thread waits until nobody is still choosing.
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
            while (choosing[k])
                ;
            do
                theirs = ticket[k];
            while (theirs != 0 && (theirs < most + 1 || (theirs == most + 1 && k < me)));
        }

        inside = me;
        assert(inside == me);

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
