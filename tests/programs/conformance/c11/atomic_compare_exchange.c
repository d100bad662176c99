/* atomic_compare_exchange_strong
 * --rounds 2 --unwind 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

void *thread(void *arg)
{
    int seen = 0;
#ifdef BUG
    atomic_compare_exchange_strong(&count, &seen, seen + 1);
#else
    while (!atomic_compare_exchange_strong(&count, &seen, seen + 1)) {
    }
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
