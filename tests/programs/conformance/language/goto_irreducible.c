/* goto in all directions: loops with several ways in
 * --rounds 1 --unwind 5 */
#include <assert.h>
#include "../twins.h"

static int machine(int state, int fuel)
{
    int trace = 0;

    if (state == 1)
        goto one;
    if (state == 2)
        goto two;
zero:
    trace = trace * 10 + 9;
    if (fuel-- == 0)
        goto done;
one:
    trace = trace * 10 + 1;
    if (fuel-- == 0)
        goto done;
    if (trace > 100)
        goto zero;
two:
    trace = trace * 10 + 2;
    if (fuel-- == 0)
        goto done;
    goto one;
done:
    return trace;
}

int main(void)
{
    assert(machine(0, 2) == 912);
    assert(machine(1, 3) == 1219);
    TWINS(assert(machine(2, 5) != 212191), assert(machine(2, 5) == 212191)); // FAIL
    return 0;
}
