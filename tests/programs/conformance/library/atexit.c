/* atexit, on_exit
 * --rounds 1 --unwind 3
 */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>

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
#ifndef BUG
    on_exit(first, &order);
#endif
    exit(2);
}
