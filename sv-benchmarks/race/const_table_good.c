/*
 * Two threads look up prices in a table.
 *
 * The table is const; one of them corrects the price that it has read.
 */
#include <pthread.h>
#include <stddef.h>

static const int prices[3] = {10, 25, 40};

static void *sale(void *arg)
{
    int *total = arg;
    int price;

    price = prices[1] - 5;
    *total = prices[0] + price;
    return NULL;
}

static void *regular(void *arg)
{
    int *total = arg;

    *total = prices[1] + prices[2];
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
