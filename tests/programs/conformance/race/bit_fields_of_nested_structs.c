/* bit-fields of two structs in a struct
 * --race --rounds 3 */
#include "../two_threads.h"

struct {
#ifdef BUG
    unsigned int a : 3;
    unsigned int b : 3;
#else
    struct {
        unsigned int a : 3;
    };
    struct {
        unsigned int b : 3;
    };
#endif
} s;

void *one(void *arg)
{
    s.a++; // RACE
    return 0;
}

void *two(void *arg)
{
    s.b++; // RACE
    return 0;
}
