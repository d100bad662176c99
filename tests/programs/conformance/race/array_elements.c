/* two elements of an array, one of them through a pointer
 * --race --rounds 3 */
#include "../two_threads.h"

int a[3];

void *one(void *arg)
{
    a[1] = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    int *p = a;
    TWINS(p++, p += 2);
    *p = 1; // RACE
    return 0;
}
