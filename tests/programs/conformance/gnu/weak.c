/* the attributes `weak`, `alias` and `weakref`, `#pragma weak`: a weak function that nothing defines is null
 * --rounds 2 */
#include "../program.h"

extern int missing(int) __attribute__((weak));
#pragma weak gone
extern void gone(void);
static __typeof(pthread_mutex_lock) lock_it __attribute__((weakref("pthread_mutex_lock")));
extern __typeof(pthread_create) pthread_create __attribute__((weak));

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;

void real_add(int by)
{
    if (lock_it)
        lock_it(&mutex);
    count += by;
#ifndef BUG
    if (missing)
        count = missing(count);
    if (&gone != 0)
        gone();
#else
    if (!missing)
        count++;
#endif
    pthread_mutex_unlock(&mutex);
}

void add(int by) __attribute__((weak, alias("real_add")));

void *worker(void *arg)
{
    add(1);
    return arg;
}

int main(void)
{
    pthread_t t;

    if (pthread_create) {
        pthread_create(&t, 0, worker, 0);
        add(1);
        pthread_join(t, 0);
        assert(count == 2); // FAIL
    }
    return 0;
}
