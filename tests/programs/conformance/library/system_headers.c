/* headers of the system that CSeq has none of its own for
 * --rounds 2 --unwind 1 */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <wchar.h>
#include "../program.h"

struct shared
{
    volatile sig_atomic_t flag;
    ssize_t size;
    off_t offset;
    mode_t mode;
} shared;

void *worker(void *arg)
{
    shared.size += 2;
    shared.mode |= O_RDWR | S_IRUSR;
    REPAIRED(shared.flag = SIGINT;)
    return NULL;
}

int main(void)
{
    START(t, worker);
    pthread_join(t, NULL);
    assert(shared.size == 2);
    assert(shared.flag == SIGINT); // FAIL
    return 0;
}
