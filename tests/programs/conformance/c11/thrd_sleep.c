/* thrd_sleep, thrd_yield are no way to wait for a thread
 * --rounds 2 */
#include <threads.h>
#include "../program.h"

int done;

void *work(void *unused)
{
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t other;
    struct timespec second = { 1, 0 };
    pthread_create(&other, 0, work, 0);
    assert(thrd_sleep(&second, 0) == 0);
    thrd_yield();
    REPAIRED(pthread_join(other, 0);)
    assert(done); // FAIL
    return 0;
}
