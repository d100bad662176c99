/* the bytes that `memset` writes: none where the size is 0
 * --race --rounds 3 */
#include <string.h>
#include "../two_threads.h"

char buffer[8];
int size = TWINS(8, 0);

void *one(void *arg)
{
    memset(buffer + 1, 0, size / 2); // RACE
    return 0;
}

void *two(void *arg)
{
    buffer[2] = 1; // RACE
    return 0;
}
