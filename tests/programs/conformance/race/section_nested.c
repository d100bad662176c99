/* sections in sections
 * --race --rounds 5 */
#include "../two_threads.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;

void *one(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_end();
    x = 1; // RACE
    __VERIFIER_atomic_end();
    return 0;
}

void *two(void *arg)
{
    REPAIRED(__VERIFIER_atomic_begin();)
    x = 2; // RACE
    REPAIRED(__VERIFIER_atomic_end();)
    return 0;
}
