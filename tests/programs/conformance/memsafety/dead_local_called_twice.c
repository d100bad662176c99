/* a local of a function that has returned, and been called again
 * --memsafety --rounds 1 */
#include "../one_thread.h"

int keep;

static int *place(int *other)
{
    int here = 5;
    if (other != 0)
        here = *other; // FAIL
    TWINS(return &here, return &keep);
}

void *work(void *arg)
{
    place(place(0));
    return NULL;
}
