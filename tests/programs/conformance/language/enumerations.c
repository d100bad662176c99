/* enumerations: their types, large enumerators, scopes
 * --rounds 1 */
#include <assert.h>
#include "../twins.h"

enum state { IDLE, BUSY };
enum wide { WIDE = 1ll << 40 };

int main(void)
{
    enum state s = IDLE;
    enum { IDLE_TOO = -1 } t = IDLE_TOO;

    assert(s - 1 > 0 && t - 1 < 0);
    assert(sizeof(enum wide) == 8 && WIDE >> 40 == 1);
    {
        enum state { BUSY = 7, OTHER };
        enum state u = OTHER;
        TWINS(assert(u == BUSY + 2), assert(u == BUSY + 1)); // FAIL
    }
    assert(s != BUSY);
    return 0;
}
