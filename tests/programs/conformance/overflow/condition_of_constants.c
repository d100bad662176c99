/* a condition of constants, of a loop that runs once
 * --overflow --rounds 1 */
#include <limits.h>
#include "../one_thread.h"

#define LIMIT TWINS((INT_MAX + 1), (INT_MIN + 1))

int runs;

void *work(void *arg)
{
    do
        runs = runs + 1;
    while (LIMIT > 0); // FAIL
    return NULL;
}
