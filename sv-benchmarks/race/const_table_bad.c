/*
 * Two threads look up prices in a table.
 *
 * One of them corrects a price first, in the table itself.
 *
 *   t1: is about to correct prices[1] | t2: is about to load it
 */
#include <pthread.h>
#include <stddef.h>

static int prices[3] = {10, 25, 40};

static void *sale(void *arg)
{
    int *total = arg;

    prices[1] -= 5; // RACE
    *total = prices[0] + prices[1];
    return NULL;
}

static void *regular(void *arg)
{
    int *total = arg;

    *total = prices[1] + prices[2]; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int one, two;

    pthread_create(&t1, NULL, sale, &one);
    pthread_create(&t2, NULL, regular, &two);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return one + two != 95;
}
