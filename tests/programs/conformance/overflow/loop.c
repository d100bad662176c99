/* a sum in a loop
 * --overflow --rounds 1 --unwind 5 */
#include "../one_thread.h"

int sum;

void *work(void *arg)
{
    for (int i = 0; i < TWINS(5, 4); i++)
        sum += 500000000; // FAIL
    return NULL;
}
