/* an atomic object, and a plain one
 * --race --rounds 5 */
#include "../two_threads.h"

REPAIRED(_Atomic) int x;

void *one(void *arg)
{
    x++; // RACE
    return 0;
}

void *two(void *arg)
{
    int seen = x; // RACE
    (void)seen;
    return 0;
}
