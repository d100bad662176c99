/* jumps over declarations
 * --rounds 1 --unwind 3 */
#include <assert.h>
#include "../twins.h"

static int kept(void)
{
    int rounds = 0;

again:
    if (rounds == 1)
        goto behind;
    int value;
    value = 5;
behind:
    if (++rounds < 2)
        goto again;
    return value;
}

static int undefined(int how)
{
    int rounds = 0;

again:;
    int value;
    if (rounds == 0 || how)
        value = 5;
    if (++rounds < 2)
        goto again;
    return value;
}

int main(void)
{
    assert(kept() == 5);
    assert(undefined(1) == 5);
    BUGGY(assert(undefined(0) == 5);) // FAIL
    return 0;
}
