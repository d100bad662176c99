/* syscall: FUTEX_WAIT that no FUTEX_WAKE ends
 * --deadlock --rounds 3 --unwind 2 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../program.h"

atomic_int word;

void *waiter(void *arg)
{
    while (!word)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0); // DEADLOCK
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, waiter, 0);
    pthread_create(&u, 0, waiter, 0);
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, TWINS(1, 2), 0, 0, 0);
    pthread_join(t, 0); // DEADLOCK
    pthread_join(u, 0); // DEADLOCK
    return 0;
}
