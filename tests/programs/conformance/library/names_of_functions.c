/* members, locals, labels and tags with the names of functions of the library
 * --rounds 2 */
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include "../program.h"

struct read { size_t sleep; int usleep, fork, pthread_join, alarm; };

static int done;
static struct read all = { .usleep = 1, .fork = 2, .alarm = 3 };

static int twice(int x) { return 2 * x; }

static int call(int (*write)(int), int getpid)
{
    int (*strlen)(int) = write;
    if (getpid > 2)
        goto system;
    return write(getpid);
system:
    return strlen(getpid);
}

static void *work(void *arg)
{
    struct read *stats = arg;
    stats->sleep = offsetof(struct read, usleep);
    if (sleep(1) == 0)
        usleep(1);
    stats->pthread_join = call(twice, 3);
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int wait = all.usleep + all.fork + all.alarm;
    pthread_create(&thread, 0, work, &all);
    REPAIRED(pthread_join(thread, 0);)
    assert(done && all.sleep == sizeof(size_t) && all.pthread_join == wait); // FAIL
    return 0;
}
