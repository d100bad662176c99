/* names that are a type in one scope and something else in another
 * --rounds 1 --unwind 1 */
#include <assert.h>
#include "../twins.h"

typedef int T;

struct T {
    T T;
};

static T twice(T T) { return T * 2; }

int main(void)
{
    T x = 3, *pointer = &x;
    struct T record = {.T = 4};
    {
        unsigned char T = 255, y = T * 2;
        assert(sizeof(T) == 1 && y == 254);
    T:
        if (--T > 254)
            goto T;
        x = T;
    }
    T(y) = (T) * pointer;
    TWINS(assert(twice(y) == 510), assert(twice(y) == 508 && record.T == 4 && sizeof(T) == sizeof(int))); // FAIL
    return 0;
}
