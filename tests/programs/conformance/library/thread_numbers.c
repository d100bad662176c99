/* gettid, syscall(SYS_gettid), getpid
 * --rounds 2 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#include "../program.h"

pid_t other;

void *work(void *unused)
{
    other = gettid();
    assert(getpid() TWINS(==, !=) other); // FAIL
    assert(syscall(SYS_gettid) == other);
    return 0;
}

int main(void)
{
    START(thread, work);
    pthread_join(thread, 0);
    assert(gettid() == getpid());
    assert(gettid() != other);
    return 0;
}
