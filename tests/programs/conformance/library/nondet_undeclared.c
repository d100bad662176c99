/* `__VERIFIER_nondet_int()` and others without a declaration
 * --rounds 1 */
#include <assert.h>
#include "../twins.h"

int main(void)
{
    int chosen = 0;
    switch (__VERIFIER_nondet_int()) {
    case 1:
        chosen = 1;
        break;
    case 7:
        chosen = 3;
    }
    if (__VERIFIER_nondet_bool())
        chosen++;
    TWINS(assert(chosen != 4), assert(chosen <= 4)); // FAIL
    return 0;
}
