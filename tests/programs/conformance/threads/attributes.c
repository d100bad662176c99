/* pthread_attr_init, _destroy, and the attributes: detachstate, stacksize, stackaddr, guardsize, scope, sched…
 * --rounds 2 --unwind 1 */
#include <errno.h>
#include <sched.h>
#include "../program.h"

void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    struct sched_param p = { 10 };
    size_t size;
    int value;
    pthread_attr_init(&a);
    assert(pthread_attr_setdetachstate(&a, 7) == EINVAL);
    assert(pthread_attr_getdetachstate(&a, &value) == 0 && value == PTHREAD_CREATE_JOINABLE);
    BUGGY(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);)
    assert(pthread_attr_setstacksize(&a, 1) == EINVAL);
    assert(pthread_attr_setstacksize(&a, 1 << 16) == 0);
    assert(pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 16);
    assert(pthread_attr_setguardsize(&a, 0) == 0);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_setschedparam(&a, &p) == EINVAL);
    assert(pthread_attr_setschedpolicy(&a, SCHED_RR) == 0);
    assert(pthread_attr_setschedparam(&a, &p) == 0);
    p.sched_priority = 0;
    assert(pthread_attr_getschedparam(&a, &p) == 0 && p.sched_priority == 10);
    pthread_create(&t, &a, work, 0);
    pthread_attr_destroy(&a);
    pthread_join(t, 0); // FAIL
    return 0;
}
