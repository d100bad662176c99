/* what is only evaluated if something holds
 * --overflow --rounds 1 */
#include <limits.h>
#include "../one_thread.h"

int given;

void *work(void *arg)
{
    int n = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
    TWINS(int fits = n <= INT_MAX && n + 1 > 0, int fits = n < INT_MAX && n + 1 > 0); // FAIL
    int share = d == 0 || n == INT_MIN ? 0 : n / d;
    given = fits + (d != 0 && 100 % d == 0);
    return NULL;
}
