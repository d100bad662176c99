/* `errno` is a thread's own
 * --race --rounds 3 */
#include <errno.h>
#include "../two_threads.h"

int shared;

void *one(void *arg)
{
    TWINS(shared = 1, errno = 1); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(shared = 2, errno = 2); // RACE
    return 0;
}
