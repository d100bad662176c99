/* the attribute `constructor`, with priorities: functions that run before `main`
 * --rounds 1 */
#include <assert.h>
#include "../twins.h"

int order;

__attribute__((constructor)) static void last(void)
{
    order = order * 10 + 3;
}

REPAIRED(__attribute__((constructor(101)))) static void first(void)
{
    order = order * 10 + 1;
}

static void second(void) __attribute__((constructor(102)));

static void second(void)
{
    order = order * 10 + 2;
}

int main(void)
{
    assert(order == 123); // FAIL
    return 0;
}
