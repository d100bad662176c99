/* __sync_lock_test_and_set, __sync_lock_release
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

static int lock, count;

void *thread(void *arg)
{
    while (__sync_lock_test_and_set(&lock, 1)) {
    }
    count++;
    __sync_lock_release(&lock);
#ifdef BUG
    count++;
#else
    __sync_fetch_and_add(&count, 0);
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
#ifdef BUG
    assert(count == 4); // FAIL
#else
    assert(count == 2);
#endif
    return 0;
}
