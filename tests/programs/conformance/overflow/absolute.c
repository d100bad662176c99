/* `abs` of the smallest number
 * --overflow --rounds 1 */
#include <limits.h>
#include <stdlib.h>
#include "../one_thread.h"

int difference;

void *work(void *arg)
{
    int n = __VERIFIER_nondet_int();
    REPAIRED(if (n > INT_MIN))
        difference = abs(n); // FAIL
    return NULL;
}
