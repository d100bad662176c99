/* atomic_compare_exchange_weak may fail for no reason
 * --rounds 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_long count = 3;

int main(void)
{
    long seen = 3;
    _Bool done = atomic_compare_exchange_weak(&count, &seen, 4);
#ifdef BUG
    assert(done); // FAIL
#else
    assert(seen == 3);
    assert(count == (done ? 4 : 3));
#endif
    return 0;
}
