/* a compare-exchange that fails only loads
 * --race --rounds 5 */
#include "../two_threads.h"

int x;

void *one(void *arg)
{
    TWINS(int expected = 0, int expected = 5);
    __atomic_compare_exchange_n(&x, &expected, 1, 0, 5, 5); // RACE
    return 0;
}

void *two(void *arg)
{
    int seen = x; // RACE
    (void)seen;
    return 0;
}
