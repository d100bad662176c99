/* the characters that `strcpy` writes, and the 0 behind them
 * --race --rounds 3 */
#include <string.h>
#include "../two_threads.h"

char buffer[8];

void *one(void *arg)
{
    strcpy(buffer, "abc"); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(buffer[3] = 1, buffer[4] = 1); // RACE
    return 0;
}
