/* sched_yield, pthread_yield are no way to wait for a thread
 * --rounds 2 */
#include <sched.h>
#include "../program.h"

int done;

void *work(void *unused)
{
    done = 1;
    return 0;
}

int main(void)
{
    START(other, work);
    assert(sched_yield() == 0 && pthread_yield() == 0);
    REPAIRED(pthread_join(other, 0);)
    assert(done); // FAIL
    return 0;
}
