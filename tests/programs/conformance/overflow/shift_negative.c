/* a shift to the right by less than nothing
 * --overflow --rounds 1 */
#include "../one_thread.h"

int distance;

void *work(void *arg)
{
    distance = __VERIFIER_nondet_char();
    if (distance < 16 REPAIRED(&& distance >= 0))
        distance = 1000 >> distance; // FAIL
    return NULL;
}
