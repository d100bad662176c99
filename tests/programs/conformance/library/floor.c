/* floor, ceil, fabs, round
 * --rounds 1 */
#include <assert.h>
#include <math.h>
#include "../twins.h"

double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x > -1e6 && x < 1e6) {
        TWINS(assert(floor(x) < x), assert(floor(x) <= x)); // FAIL
    }
    assert(ceil(-1.5) == -1 && fabs(-2.0) == 2 && round(0.5) == 1);
    return 0;
}
