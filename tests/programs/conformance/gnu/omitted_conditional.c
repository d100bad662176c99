/* `x ?: y`, where x is evaluated once
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

int *shared, fallback = 1, other = 2;

void *writer(void *arg)
{
    shared = &other;
    shared = 0;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
#ifdef BUG
    int *p = shared ? shared : &fallback;
#else
    int *p = shared ?: &fallback;
#endif
    assert(p != 0); // FAIL
    pthread_join(t, 0);
    return 0;
}
