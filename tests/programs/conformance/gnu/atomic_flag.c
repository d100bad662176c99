/* __atomic_test_and_set, __atomic_clear
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

_Bool lock;
int inside;

void *thread(void *arg)
{
    if (!__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {
#ifdef BUG
        __atomic_clear(&lock, __ATOMIC_RELEASE);
        inside++;
        assert(inside == 1); // FAIL
        inside--;
#else
        inside++;
        assert(inside == 1);
        inside--;
        __atomic_clear(&lock, __ATOMIC_RELEASE);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
