/* __sync_bool_compare_and_swap, __sync_val_compare_and_swap
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

int count, *shared = &count;

void *thread(void *arg)
{
    int old = *shared;
#ifdef BUG
    *shared = old + 1;
#else
    if (!__sync_bool_compare_and_swap(shared, old, old + 1))
        assert(__sync_val_compare_and_swap(&count, 1, 2) == 1);
#endif
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
