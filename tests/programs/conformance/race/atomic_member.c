/* an atomic member of a struct, through pointers
 * --race --rounds 6 */
#include "../two_threads.h"

struct node {
    TWINS(int count, _Atomic int count);
} node, *p = &node;

void *one(void *arg)
{
    struct node *q = p;
    q->count++; // RACE
    return 0;
}

void *two(void *arg)
{
    struct node *q = p;
    if (q->count > 3) // RACE
        q->count = 0; // RACE
    return 0;
}
