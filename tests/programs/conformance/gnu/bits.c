/* __builtin_clz, __builtin_ctz, __builtin_ffs, __builtin_popcount, __builtin_parity, __builtin_bswap32
 * --rounds 1 */
#include <assert.h>
#include "../twins.h"

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), single = x & -x;

    if (x == 0)
        return 0;
    assert(__builtin_ctz(x) == 31 - __builtin_clz(single));
    assert(__builtin_ffs(x) == __builtin_ctz(x) + 1);
    assert(__builtin_popcountl(single) == 1 && __builtin_parity(single) == 1);
    assert(__builtin_bswap32(__builtin_bswap32(x)) == x);
    TWINS(assert(__builtin_popcount(x) < 32), assert(__builtin_popcount(x) <= 32)); // FAIL
    return 0;
}
