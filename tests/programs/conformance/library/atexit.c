/* atexit, on_exit
 * --rounds 1 --unwind 3 */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>
#include "../twins.h"

int order;

static void last(void)
{
    assert(order == 2); // FAIL
}

static void first(int status, void *argument)
{
    *(int *)argument = status;
}

int main(void)
{
    atexit(last);
    REPAIRED(on_exit(first, &order);)
    exit(2);
}
