/* a copy of a struct, and a member of another one
 * --race --rounds 3 */
#include "../two_threads.h"

struct pair {
    int a, b;
} from, to, other;

void *one(void *arg)
{
    TWINS(from.b = 1, other.b = 1); // RACE
    return 0;
}

void *two(void *arg)
{
    to = from; // RACE
    return 0;
}
