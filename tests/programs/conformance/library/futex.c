/* syscall: FUTEX_WAIT and FUTEX_WAKE
 * --rounds 3 --unwind 3 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../program.h"

atomic_int word;
int data;

void *waiter(void *arg)
{
    BUGGY(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);)
    REPAIRED(while (!word))
        REPAIRED(if (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0) == -1))
            REPAIRED(assert(errno == EAGAIN);)
    assert(data == 1); // FAIL
    return 0;
}

int main(void)
{
    START(t, waiter);
    data = 1;
    word = 1;
    assert(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0) <= 1);
    pthread_join(t, 0);
    return 0;
}
