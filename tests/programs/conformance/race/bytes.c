/* a byte of an object through a `char *`
 * --race --rounds 3 */
#include "../two_threads.h"

int x[2];

void *one(void *arg)
{
    x[0] = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    char *byte = (char *)x;
    TWINS(byte[3] = 1, byte[4] = 1); // RACE
    return 0;
}
