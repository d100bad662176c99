/*
 * Lamport's bakery for two customers who come again and again.  Numbers grow
 * as long as the shop is not empty; at a million it closes.
 *
 * The second customer does not wait for one who is choosing.
 *
 *   t1: reads 0 | t2: takes 1, enters | t1: takes 1, wins the tie, enters
 */
#include <assert.h>
#include <pthread.h>

#define LAST 1000000

int choosing1, choosing2;
int number1, number2;
int served;

void *first(void *arg)
{
    (void)arg;
    for (;;) {
        choosing1 = 1;
        int mine = number2 + 1;
        if (mine > LAST)
            return NULL;
        number1 = mine;
        choosing1 = 0;
        while (choosing2)
            ;
        while (1) {
            int other = number2;
            if (other == 0 || mine <= other)
                break;
        }
        served = 1;
        assert(served == 1); // FAIL
        number1 = 0;
    }
}

void *second(void *arg)
{
    (void)arg;
    for (;;) {
        choosing2 = 1;
        int mine = number1 + 1;
        if (mine > LAST)
            return NULL;
        number2 = mine;
        choosing2 = 0;
        while (1) {
            int other = number1;
            if (other == 0 || mine < other)
                break;
        }
        served = 2;
        number2 = 0;
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    return 0;
}
