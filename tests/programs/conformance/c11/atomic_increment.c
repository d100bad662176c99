/* `_Atomic`: `++`, `--` and compound assignment are one step
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

_Atomic int count;

void *thread(void *arg)
{
#ifdef BUG
    count = count + 3;
#else
    count += 4;
    count--;
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
    assert(count == 6); // FAIL
    return 0;
}
