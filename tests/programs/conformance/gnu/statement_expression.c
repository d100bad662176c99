/* statement expressions `({ ... })`
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

#define INCREMENT(x) ({ int old_ = (x); (x) = old_ + 1; old_; })

int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
#ifdef BUG
    int old = INCREMENT(count);
#else
    int old = ({ pthread_mutex_lock(&lock); int got = INCREMENT(count); pthread_mutex_unlock(&lock); got; });
#endif
    return old >= 0 ? arg : 0;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(({ int n = count; n == 2; })); // FAIL
    return 0;
}
