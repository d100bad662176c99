/* members of a union, and of a struct
 * --race --rounds 3 */
#include "../two_threads.h"

TWINS(union, struct) {
    int number;
    char text[4];
} u;

void *one(void *arg)
{
    u.number = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    u.text[2] = 1; // RACE
    return 0;
}
