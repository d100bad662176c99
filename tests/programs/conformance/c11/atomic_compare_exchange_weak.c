/* atomic_compare_exchange_weak may fail for no reason
 * --rounds 1 */
#include <stdatomic.h>
#include "../program.h"

atomic_long count = 3;

int main(void)
{
    long seen = 3;
    _Bool done = atomic_compare_exchange_weak(&count, &seen, 4);
    BUGGY(assert(done);) // FAIL
    REPAIRED(assert(seen == 3);)
    REPAIRED(assert(count == (done ? 4 : 3));)
    return 0;
}
