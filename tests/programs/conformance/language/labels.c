/* labels in code that is never reached, at the end of blocks, and unused
 * --rounds 1 --unwind 2 */
#include <assert.h>
#include "../twins.h"

static int at(int where)
{
    int n = 0;

    if (where == 1)
        goto inside;
    if (where == 2)
        goto behind;
    if (0) {
        n = 50;
inside:
        n += 1;
        goto end;
    }
    return n;
behind:
    n += 2;
unused:
    while (0) {
back:
        n += 10;
        goto end;
    }
    if (n == 2)
        goto back;
end:;
    {
        if (n == 12)
            goto last;
        n = -n;
last:;
    }
    return n;
}

int main(void)
{
    assert(at(0) == 0);
    assert(at(1) == -1);
    TWINS(assert(at(2) == 2), assert(at(2) == 12)); // FAIL
    return 0;
}
