/* division by a constant that is zero
 * --overflow --rounds 1 */
#include "../one_thread.h"

#define PARTS TWINS(0, 2)

int whole = 10;

void *work(void *arg)
{
    whole = whole / PARTS; // FAIL
    return NULL;
}
