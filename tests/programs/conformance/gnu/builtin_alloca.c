/* __builtin_alloca
 * --rounds 1 --unwind 1 */
#include <assert.h>
#include "../twins.h"

int main(void)
{
    int *p = __builtin_alloca(2 * sizeof *p);
    p[0] = 3;
    p[1] = p[0] + 1;
    TWINS(assert(p[1] == 3), assert(p[1] == 4)); // FAIL
    return 0;
}
