/* An object at file level that one thread alone uses
 * --rounds 3 --unwind 1 */
#include "../program.h"

int mine, yours, sum;

static void count(int *total)
{
    for (mine = 0; mine < 3; mine++)
        *total += mine;
    assert(mine == 3); // FAIL
}

void *first(void *arg)
{
    count(&sum);
    return arg;
}

void *second(void *arg)
{
    BUGGY(mine = 4;)
    for (yours = 0; yours < 2; yours++)
        ;
    return arg;
}

int main(void)
{
    TWO_THREADS(first, second);
    return 0;
}
