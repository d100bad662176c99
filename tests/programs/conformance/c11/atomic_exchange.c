/* atomic_exchange
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint lock;
int inside;

void *thread(void *arg)
{
#ifdef BUG
    int free = atomic_load(&lock) == 0;
    atomic_store(&lock, 1);
#else
    int free = atomic_exchange(&lock, 1) == 0;
#endif
    if (free) {
        inside++;
        assert(inside == 1); // FAIL
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
