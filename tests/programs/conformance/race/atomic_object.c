/* an atomic object, and a plain one
 * --race --rounds 5
 */
#include "../two_threads.h"

#ifdef BUG
int x;
#else
_Atomic int x;
#endif

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
