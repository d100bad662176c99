/* The sum of two_units_bad; see a.c. */
#include "shared.h"

static int sum = 0;
static int calls = 0;

static void count(void)
{
    calls++;
}

void add(int amount)
{
    sum += amount;
    count();
}

int total(void)
{
    return sum;
}
