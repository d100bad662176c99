/* the bytes that `memcpy` reads
 * --race --rounds 3 */
#include <string.h>
#include "../two_threads.h"

char buffer[8], copy[8];
int size = 4;

void *one(void *arg)
{
    memcpy(copy, buffer, size); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(buffer[3] = 1, buffer[4] = 1); // RACE
    return 0;
}
