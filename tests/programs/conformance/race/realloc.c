/* `realloc` frees the old block
 * --race --rounds 5 */
#include <stdlib.h>
#include "../program.h"

int *p;

void *one(void *arg)
{
    p = realloc(p, 2 * sizeof(int)); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(int *mine = p, int *mine = 0); // RACE
    if (mine)
        mine[0] = 1; // RACE
    return 0;
}

int main(void)
{
    p = calloc(1, sizeof(int));
    TWO_THREADS(one, two);
    return 0;
}
