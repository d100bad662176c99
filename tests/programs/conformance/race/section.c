/* an access in an atomic section, and one in none
 * --race --rounds 5 */
#include "../program.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;

void *one(void *arg)
{
    __VERIFIER_atomic_begin();
    x++; // RACE
    __VERIFIER_atomic_end();
    return 0;
}

void *two(void *arg)
{
    REPAIRED(__VERIFIER_atomic_begin();)
    x--; // RACE
    REPAIRED(__VERIFIER_atomic_end();)
    return 0;
}

int main(void)
{
    TWO_THREADS(one, two);
    return 0;
}
