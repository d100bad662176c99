/* atomic_compare_exchange_strong
 * --rounds 2 --unwind 2 */
#include <stdatomic.h>
#include "../program.h"

atomic_int count;

void *thread(void *arg)
{
    int seen = 0;
    BUGGY(atomic_compare_exchange_strong(&count, &seen, seen + 1);)
    REPAIRED(while (!atomic_compare_exchange_strong(&count, &seen, seen + 1)) {})
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(count == 2); // FAIL
    return 0;
}
