/* syscall: FUTEX_WAIT and FUTEX_WAKE
 * --rounds 3 --unwind 3
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int word;
int data;

void *waiter(void *arg)
{
#ifdef BUG
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
#else
    while (!word)
        if (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0) == -1)
            assert(errno == EAGAIN);
#endif
    assert(data == 1); // FAIL
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    data = 1;
    word = 1;
    assert(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) <= 1);
    pthread_join(t, 0);
    return 0;
}
