/* a section that is entered under a condition
 * --race --rounds 5 */
#include "../two_threads.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;
int __VERIFIER_nondet_int(void);

void *one(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1; // RACE
    __VERIFIER_atomic_end();
    return 0;
}

void *two(void *arg)
{
    TWINS(int inside = __VERIFIER_nondet_int(), int inside = 1);
    if (inside)
        __VERIFIER_atomic_begin();
    x = 2; // RACE
    if (inside)
        __VERIFIER_atomic_end();
    return 0;
}
