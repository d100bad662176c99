/* the characters that `strlen` reads
 * --race --rounds 3 */
#include <string.h>
#include "../two_threads.h"

char buffer[8] = "ab";
int length;

void *one(void *arg)
{
    length = strlen(buffer); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(buffer[2] = 0, buffer[3] = 0); // RACE
    return 0;
}
