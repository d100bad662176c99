/* what `sprintf` writes
 * --race --rounds 3 */
#include <stdio.h>
#include "../two_threads.h"

char buffer[8];

void *one(void *arg)
{
    sprintf(buffer, "%d", 42); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(buffer[2] = 1, buffer[3] = 1); // RACE
    return 0;
}
