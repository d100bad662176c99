/* signal, sigaction: handlers never run; raise, kill(getpid(), …): the process ends
 * --rounds 2 */
#include <signal.h>
#include <unistd.h>
#include "../program.h"

int count, stop;

static void interrupted(int number)
{
    stop = number;
}

void *worker(void *arg)
{
    count++;
    return arg;
}

int main(void)
{
    pthread_t t;
    struct sigaction action, old;

    signal(SIGPIPE, SIG_IGN);
    action.sa_handler = interrupted;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, &action, &old) != 0)
        return 1;
    signal(SIGTERM, interrupted);
    pthread_create(&t, 0, worker, 0);
    REPAIRED(pthread_join(t, 0);)
    count++;
    BUGGY(pthread_join(t, 0);)
    assert(count == 2); // FAIL
    assert(stop == 0);
    return 0;
}
