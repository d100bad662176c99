/* __sync_bool_compare_and_swap, __sync_val_compare_and_swap
 * --rounds 2 */
#include "../program.h"

int count, *shared = &count;

void *thread(void *arg)
{
    int old = *shared;
    BUGGY(*shared = old + 1;)
    REPAIRED(if (!__sync_bool_compare_and_swap(shared, old, old + 1)))
        REPAIRED(assert(__sync_val_compare_and_swap(&count, 1, 2) == 1);)
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(count == 2); // FAIL
    return 0;
}
