/* __atomic_load_n, __atomic_store_n, __atomic_exchange_n
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

char lock;
long inside;

void *thread(void *arg)
{
#ifdef BUG
    int free = !__atomic_load_n(&lock, __ATOMIC_SEQ_CST);
    __atomic_store_n(&lock, 1, __ATOMIC_SEQ_CST);
#else
    int free = !__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST);
#endif
    if (free) {
        assert(inside == 0); // FAIL
        inside = 1;
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
