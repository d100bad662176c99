/* in an index, in an argument, and in what is returned
 * --overflow --rounds 2 --unwind 2 */
#include <limits.h>
#include "../program.h"

int table[4], next = INT_MAX - 2;

static int successor(int n)
{
    return n + 1; // FAIL
}

void *work(void *arg)
{
    next = successor(next);
    table[successor(next) & 3] = successor(1);
    return NULL;
}

int main(void)
{
    START(thread, work);
    BUGGY(next = successor(next);)
    pthread_join(thread, NULL);
    return 0;
}
