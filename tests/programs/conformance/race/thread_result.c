/* the value that a thread function returns
 * --race --rounds 5 */
#include "../two_threads.h"

void *x;

void *one(void *arg)
{
    x = arg; // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(return x, return arg); // RACE
}
