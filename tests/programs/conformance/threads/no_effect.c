/* pthread_setname_np, pthread_setaffinity_np, pthread_setschedparam, pthread_setconcurrency, pthread_kill(t, 0)
 * --rounds 2 --unwind 1 */
#define _GNU_SOURCE
#include <sched.h>
#include "../program.h"

int x;

void *work(void *arg)
{
    x++;
    return arg;
}

int main(void)
{
    pthread_t t;
    cpu_set_t set;
    struct sched_param p = { 0 };
    CPU_ZERO(&set);
    CPU_SET(3, &set);
    assert(CPU_ISSET(3, &set) && !CPU_ISSET(2, &set));
    pthread_setconcurrency(2);
    pthread_create(&t, 0, work, 0);
    pthread_setname_np(t, "work");
    pthread_setaffinity_np(t, sizeof set, &set);
    pthread_setschedparam(t, SCHED_OTHER, &p);
    assert(pthread_kill(t, 0) == 0);
    REPAIRED(pthread_join(t, 0);)
    x++;
    BUGGY(pthread_join(t, 0);)
    assert(x == 2); // FAIL
    return 0;
}
