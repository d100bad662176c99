/* atomic_thread_fence, atomic_signal_fence: a fence is no lock
 * --rounds 2 */
#include <stdatomic.h>
#include "../program.h"

TWINS(int, atomic_int) count;

void *thread(void *arg)
{
    atomic_thread_fence(memory_order_seq_cst);
    count++;
    atomic_signal_fence(memory_order_seq_cst);
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(count == 2); // FAIL
    return 0;
}
