/* The sum of two_units_good; see a.c. */
#include <pthread.h>

#include "shared.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum = 0;
static int calls = 0;

static void count(void)
{
    calls++;
}

void add(int amount)
{
    pthread_mutex_lock(&lock);
    sum += amount;
    count();
    pthread_mutex_unlock(&lock);
}

int total(void)
{
    return sum;
}
