/* __builtin_add_overflow, __builtin_sub_overflow, __builtin_mul_overflow
 * --rounds 1 */
#include <assert.h>
#include "../twins.h"

int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), sum, product;
    unsigned char narrow;

    if (__builtin_add_overflow(a, b, &sum))
        return 0;
    assert((long)a + b == sum);
    if (!__builtin_sub_overflow(a, b, &narrow))
        assert(a >= b && (long)a - b < 256);
    BUGGY(assert(!__builtin_mul_overflow(a, 2, &product));) // FAIL
    REPAIRED(assert(!__builtin_mul_overflow(a, 1, &product) && product == a);)
    return 0;
}
