/* goto into loops and branches
 * --rounds 1 --unwind 4 */
#include <assert.h>
#include "../twins.h"

static int from(int start, int last)
{
    int i = start, passed = 0;

    if (start)
        goto middle;
    for (i = 0; i < last; i++) {
        passed += 10;
        if (last > 9) {
middle:
            passed += 100;
            if (start == 2)
                goto other;
        } else {
            passed += 1;
other:
            passed += 1000;
            start = 0;
        }
    }
    return passed;
}

int main(void)
{
    assert(from(0, 2) == 2022);
    assert(from(1, 2) == 100);
    TWINS(assert(from(2, 4) != 2111), assert(from(2, 4) == 2111)); // FAIL
    return 0;
}
