/* write to a pipe without a reader: EPIPE, where SIGPIPE is ignored
 * --rounds 3 --unwind 2 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include "../program.h"

int ends[2], failed;

void *writer(void *arg)
{
    if (write(ends[1], "x", 1) == -1) {
        assert(errno == EPIPE);
        failed = 1;
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    signal(SIGPIPE, SIG_IGN);
    pipe(ends);
    pthread_create(&t, 0, writer, 0);
    REPAIRED(pthread_join(t, 0);)
    close(ends[0]);
    BUGGY(pthread_join(t, 0);)
    assert(!failed); // FAIL
    return 0;
}
