/* sched_get_priority_max, sched_get_priority_min
 * --rounds 2 */
#include <errno.h>
#include <sched.h>
#include "../program.h"

int priority;

void *urgent(void *unused)
{
    priority = sched_get_priority_max(SCHED_FIFO);
    return 0;
}

int main(void)
{
    pthread_t other;
    assert(sched_get_priority_min(SCHED_RR) < sched_get_priority_max(SCHED_RR));
    assert(sched_get_priority_max(SCHED_OTHER) == 0);
    assert(sched_get_priority_min(-1) == -1 && errno == EINVAL);
    pthread_create(&other, 0, urgent, 0);
    REPAIRED(pthread_join(other, 0);)
    assert(priority == 99); // FAIL
    return 0;
}
