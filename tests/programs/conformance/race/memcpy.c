/* the bytes that `memcpy` writes
 * --race --rounds 3 */
#include <string.h>
#include "../two_threads.h"

char buffer[8];
const char source[8] = "abcdefg";

void *one(void *arg)
{
    TWINS(memcpy(buffer, source, 5), memcpy(buffer, source, 4)); // RACE
    return 0;
}

void *two(void *arg)
{
    buffer[4] = 1; // RACE
    return 0;
}
