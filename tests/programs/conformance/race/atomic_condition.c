/* a loop on an atomic object
 * --race --rounds 7 */
#include "../two_threads.h"

REPAIRED(_Atomic) int go;
int x;

void *one(void *arg)
{
    x = 1;
    go = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    if (!go) // RACE
        return 0;
    x = 2;
    return 0;
}
