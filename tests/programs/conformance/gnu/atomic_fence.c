/* __atomic_thread_fence, __atomic_signal_fence, __sync_synchronize, __atomic_always_lock_free, __atomic_is_lock_free
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include "../twins.h"

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
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(__atomic_always_lock_free(sizeof(int), 0) && __atomic_is_lock_free(sizeof count, &count));
    assert(count == 2); // FAIL
    return 0;
}
