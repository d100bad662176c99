/* a function that ends without returning a value
 * --rounds 1 --unwind 2 */
#include <assert.h>
#include "../twins.h"

int sign(int x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
    REPAIRED(return 0;)
}

int main(void)
{
    sign(0);
    assert(sign(5) == 1);
    assert(sign(0) == 0 || sign(0) == 1); // FAIL
    return 0;
}
