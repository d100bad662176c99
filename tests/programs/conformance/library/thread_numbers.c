/* gettid, syscall(SYS_gettid), getpid
 * --rounds 2
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

pid_t other;

void *work(void *unused)
{
    other = gettid();
#ifdef BUG
    assert(getpid() == other); // FAIL
#else
    assert(getpid() != other);
#endif
    assert(syscall(SYS_gettid) == other);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(gettid() == getpid());
    assert(gettid() != other);
    return 0;
}
