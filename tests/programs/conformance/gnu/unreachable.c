/* __builtin_unreachable, __builtin_expect, __builtin_trap
 * --rounds 2 */
#include "../program.h"

int state;

void *worker(void *arg)
{
    state = 1;
    BUGGY(state = 2;)
    return arg;
}

int main(void)
{
    START(t, worker);
    switch (state) {
    case 0:
    case 1:
        break;
    default:
        __builtin_unreachable(); // FAIL
    }
    pthread_join(t, 0);
    if (__builtin_expect(state == 0, 0))
        __builtin_trap();
    return 0;
}
