/* the attribute `destructor`, with priorities: functions that run when `main` returns, after those of `atexit`
 * --rounds 1 --unwind 5 */
#include <assert.h>
#include <stdlib.h>
#include "../twins.h"

int order;

__attribute__((destructor(101))) static void last(void)
{
    order = order * 10 + 3;
    assert(order == 123); // FAIL
}

__attribute__((destructor)) static void second(void)
{
    order = order * 10 + 2;
}

static void first(void)
{
    order = order * 10 + 1;
}

int main(void)
{
    REPAIRED(atexit(first);)
    return 0;
}
