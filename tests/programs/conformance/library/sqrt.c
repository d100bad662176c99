/* sqrt: exact for constants, otherwise between its argument and 1
 * --rounds 1 */
#include <assert.h>
#include <math.h>
#include "../twins.h"

double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    assert(sqrt(4) == 2);
    if (x >= 1 && x < 100)
        TWINS(assert(sqrt(x) > 1), assert(sqrt(x) >= 1)); // FAIL
    return 0;
}
