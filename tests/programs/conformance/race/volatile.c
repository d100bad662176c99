/* `volatile` orders nothing
 * --race --rounds 5 */
#include "../two_threads.h"

TWINS(volatile, _Atomic) int x;

void *one(void *arg)
{
    x = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    if (x == 0) // RACE
        (void)arg;
    return 0;
}
