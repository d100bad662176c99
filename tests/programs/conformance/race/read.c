/* what `read` may write
 * --race --rounds 3 */
#include <unistd.h>
#include "../two_threads.h"

char buffer[8];

void *one(void *arg)
{
    read(0, buffer, 4); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(buffer[3] = 1, buffer[4] = 1); // RACE
    return 0;
}
