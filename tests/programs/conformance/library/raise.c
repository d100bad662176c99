/* raise, kill: a signal that the process sends to itself ends it
 * --rounds 2 */
#include <signal.h>
#include <unistd.h>
#include "../program.h"

int ready;

void *worker(void *arg)
{
    ready = 1;
    return arg;
}

int main(void)
{
    START(t, worker);
    kill(getpid(), 0);
    raise(SIGCHLD);
    if (!ready)
        TWINS(kill(getpid(), SIGCONT), raise(SIGABRT));
    assert(ready); // FAIL
    kill(getpid(), SIGTERM);
    assert(0);
    return 0;
}
