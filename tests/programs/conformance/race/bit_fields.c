/* bit-fields side by side are one memory location; one of width 0 between them makes two
 * --race --rounds 3 */
#include "../two_threads.h"

struct {
    unsigned int a : 3;
    REPAIRED(unsigned int : 0;)
    unsigned int b : 3;
} s;

void *one(void *arg)
{
    s.a = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    s.b = 1; // RACE
    return 0;
}
