/* __atomic_thread_fence, __atomic_signal_fence, __sync_synchronize, __atomic_always_lock_free, __atomic_is_lock_free
 * --rounds 2 */
#include "../program.h"

int count;

void *thread(void *arg)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    TWINS(count++, __sync_add_and_fetch(&count, 1));
    __sync_synchronize();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(__atomic_always_lock_free(sizeof(int), 0) && __atomic_is_lock_free(sizeof count, &count));
    assert(count == 2); // FAIL
    return 0;
}
