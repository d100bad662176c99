/* a bit-field and the member behind it
 * --race --rounds 3 */
#include "../two_threads.h"

struct {
    unsigned int a : 3;
    TWINS(unsigned int b : 5, unsigned char b);
} s;

void *one(void *arg)
{
    s.a = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    int seen = s.b; // RACE
    (void)seen;
    return 0;
}
