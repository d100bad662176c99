/* pthread_exit in main: the process goes on until the last thread ends
 * --rounds 2 --unwind 1 */
#include "../program.h"

int x;

void *work(void *arg)
{
    x = x + 1;
    assert(x == 1); // FAIL
    return 0;
}

int main(void)
{
    START(t, work);
    REPAIRED(pthread_exit(0);)
    x = 5;
    BUGGY(pthread_exit(0);)
    return 0;
}
