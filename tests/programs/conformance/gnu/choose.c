/* __builtin_choose_expr, __builtin_types_compatible_p, __builtin_constant_p, __builtin_offsetof
 * --rounds 1 */
#include <assert.h>
#include "../twins.h"

struct item { char tag; struct { short low; int high[4]; } in; };

#define SIZE(x) __builtin_choose_expr(__builtin_types_compatible_p(typeof(x), char), 1, sizeof(x))

int main(void)
{
    char c = 0;
    int i = 1;

    assert(SIZE(c) == 1 && SIZE(i) == 4);
    assert(__builtin_constant_p(3) && !__builtin_constant_p(i));
    assert(__builtin_types_compatible_p(int[], int[5]) && !__builtin_types_compatible_p(int *, unsigned *));
    assert(__builtin_offsetof(struct item, in.high[i]) == TWINS(11, 12)); // FAIL
    return 0;
}
