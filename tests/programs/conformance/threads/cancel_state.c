/* pthread_setcancelstate, pthread_setcanceltype
 * --rounds 2 --unwind 1 */
#include <unistd.h>
#include "../program.h"

int x;

void *work(void *arg)
{
    int old, type;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    REPAIRED(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);)
    x++;
    sleep(1);
    x--;
    REPAIRED(pthread_setcancelstate(old, &old);)
    REPAIRED(assert(old == PTHREAD_CANCEL_DISABLE);)
    pthread_testcancel();
    return 0;
}

int main(void)
{
    START(t, work);
    pthread_cancel(t);
    pthread_join(t, 0);
    assert(x == 0); // FAIL
    return 0;
}
