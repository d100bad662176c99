/* pthread_sigmask, sigemptyset, sigaddset
 * --rounds 2 --unwind 1 */
#include <signal.h>
#include "../program.h"

int x;

void *work(void *arg)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t;
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    if (pthread_sigmask(SIG_BLOCK, &set, &old) != 0)
        return 1;
    pthread_create(&t, 0, work, 0);
    REPAIRED(pthread_join(t, 0);)
    x++;
    BUGGY(pthread_join(t, 0);)
    pthread_sigmask(SIG_SETMASK, &old, 0);
    assert(x == 2); // FAIL
    return 0;
}
