/* `volatile` makes nothing atomic
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

#ifdef BUG
volatile int count;
#else
volatile _Atomic int count;
#endif

void *thread(void *arg)
{
    count++;
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
