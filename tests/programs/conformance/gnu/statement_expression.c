/* statement expressions `({ ... })`
 * --rounds 2 */
#include "../program.h"

#define INCREMENT(x) ({ int old_ = (x); (x) = old_ + 1; old_; })

int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    BUGGY(int old = INCREMENT(count);)
    REPAIRED(int old = ({ pthread_mutex_lock(&lock); int got = INCREMENT(count); pthread_mutex_unlock(&lock); got; });)
    return old >= 0 ? arg : 0;
}

int main(void)
{
    TWO_THREADS(worker, worker);
    assert(({ int n = count; n == 2; })); // FAIL
    return 0;
}
