/* recursion, also mutual and through pointers
 * --rounds 1 --unwind 4 */
#include <assert.h>
#include "../twins.h"

static int odd(int n);
static int (*next)(int) = odd;

static int even(int n)
{
    int kept = n;

    return n == 0 || (next(n - 1) && kept == n);
}

static int odd(int n)
{
    return n != 0 && even(n - 1);
}

static int sum(int n)
{
    return n ? n + sum(n - 1) : 0;
}

int main(void)
{
    assert(sum(3) == 6);
    assert(even(4) && !odd(2));
    BUGGY(assert(even(3));) // FAIL
    return 0;
}
