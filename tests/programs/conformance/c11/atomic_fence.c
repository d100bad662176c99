/* atomic_thread_fence, atomic_signal_fence: a fence is no lock
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BUG
int count;
#else
atomic_int count;
#endif

void *thread(void *arg)
{
    atomic_thread_fence(memory_order_seq_cst);
    count++;
    atomic_signal_fence(memory_order_seq_cst);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2); // FAIL
    return 0;
}
