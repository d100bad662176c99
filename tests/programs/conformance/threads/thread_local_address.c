/* The address of a _Thread_local object in another thread
 * --rounds 2 --unwind 1 */
#include "../program.h"

_Thread_local int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg)
{
    int *other = arg;
    count = 10;
    REPAIRED(pthread_mutex_lock(&m);)
    *other = *other + 1;
    REPAIRED(pthread_mutex_unlock(&m);)
    assert(count == 10);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, &count);
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(count == 2); // FAIL
    return 0;
}
