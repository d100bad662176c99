/* atomic_is_lock_free, kill_dependency, ATOMIC_INT_LOCK_FREE
 * --rounds 1 */
#include <stdatomic.h>
#include "../program.h"

atomic_int number;
_Atomic struct {
    long parts[3];
} large;

int main(void)
{
    assert(ATOMIC_INT_LOCK_FREE == 2 && kill_dependency(3) == 3);
    assert(atomic_is_lock_free(&number));
    TWINS(assert(atomic_is_lock_free(&large)), assert(!atomic_is_lock_free(&large))); // FAIL
    return 0;
}
