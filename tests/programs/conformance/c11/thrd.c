/* thrd_create, thrd_join, thrd_exit, thrd_current, thrd_equal, thrd_detach, thrd_yield
 * --rounds 2 --unwind 1 */
#include <assert.h>
#include <threads.h>
#include "../twins.h"

int x;
thread_local int own;

int work(void *arg)
{
    int old = x;
    own++;
    assert(!thrd_equal(thrd_current(), *(thrd_t *) arg));
    thrd_yield();
    x = old + 1;
    if (own)
        thrd_exit(own + x);
    return 0;
}

int nothing(void *arg)
{
    return 3;
}

int main(void)
{
    thrd_t a, b, self = thrd_current();
    int first, second;
    if (thrd_create(&a, work, &self) != thrd_success)
        return 1;
    REPAIRED(assert(thrd_join(a, &first) == thrd_success);)
    REPAIRED(assert(first == 2);)
    thrd_create(&b, work, &self);
    BUGGY(thrd_join(a, &first);)
    thrd_join(b, &second);
    assert(second == 3 || first == 3); // FAIL
    thrd_create(&a, nothing, 0);
    thrd_detach(a);
    return 0;
}
