/* the result of a function is stored in an atomic object
 * --race --rounds 5 */
#include "../two_threads.h"

REPAIRED(_Atomic) int x;

int five(void)
{
    return 5;
}

void *one(void *arg)
{
    x = five(); // RACE
    return 0;
}

void *two(void *arg)
{
    int seen = x; // RACE
    (void)seen;
    return 0;
}
