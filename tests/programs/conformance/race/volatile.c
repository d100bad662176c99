/* `volatile` orders nothing
 * --race --rounds 5
 */
#include "../two_threads.h"

#ifdef BUG
volatile int x;
#else
_Atomic int x;
#endif

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
