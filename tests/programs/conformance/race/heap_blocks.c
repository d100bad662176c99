/* two blocks of memory, and one
 * --race --rounds 3 */
#include <stdlib.h>
#include "../program.h"

int *p, *q;

void *one(void *arg)
{
    p[0] = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    q[0] = 2; // RACE
    return 0;
}

int main(void)
{
    p = calloc(1, sizeof(int));
    TWINS(q = p, q = calloc(1, sizeof(int)));
    TWO_THREADS(one, two);
    return 0;
}
