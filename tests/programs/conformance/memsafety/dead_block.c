/* a local of a block that has been left
 * --memsafety --rounds 1 */
#include "../one_thread.h"

int fallback;

void *work(void *arg)
{
    int *place = &fallback;
    {
        int inner = 1;
        BUGGY(place = &inner;)
        *place = inner;
    }
    *place = 2; // FAIL
    return NULL;
}
