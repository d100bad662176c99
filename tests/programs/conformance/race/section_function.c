/* a function that is one step by its name
 * --race --rounds 5 */
#include "../two_threads.h"

int x;

void __VERIFIER_atomic_set(void)
{
    x = 1; // RACE
}

void *one(void *arg)
{
    __VERIFIER_atomic_set();
    return 0;
}

void *two(void *arg)
{
    TWINS(x = 2, __VERIFIER_atomic_set()); // RACE
    return 0;
}
