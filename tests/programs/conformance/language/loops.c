/* `for`, `while`, `do`, `break` and `continue`
 * --rounds 1 --unwind 5 */
#include <assert.h>
#include "../twins.h"

int main(void)
{
    int n = 0, c = 0, i, j;

    while (c++ < 3)
        n += c;
    assert(n == 6 && c == 4);
    do {
        if (--n % 2)
            continue;
        c *= 2;
    } while (n > 2 && c);
    assert(n == 2 && c == 16);
    for (i = 0, j = 4; i < j; i++, j--)
        ;
    assert(i == 2 && j == 2);
    for (;;) {
        for (i = 0; i < 3; i++) {
            if (i == 1)
                break;
            j++;
        }
        if (j > 3)
            break;
    }
    assert(i == 1 && j == 4);
    do
        j = -j;
    while (0);
    while ((i = i - 1) >= 0 || j++ < -3)
        if (j == -4)
            continue;
        else
            n++;
    TWINS(assert(i == -1), assert(i == -2 && j == -2 && n == 3)); // FAIL
    return 0;
    assert(0);
}
