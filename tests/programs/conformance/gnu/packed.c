/* the attributes packed and aligned
 * --rounds 1 */
#include <assert.h>
#include <stddef.h>
#include "../twins.h"

struct packed { char tag; long value; } __attribute__((packed));
struct inner { char tag; int value __attribute__((packed)); double last __attribute__((aligned(16))); };
typedef int wide __attribute__((aligned(16)));
struct holds { char tag; wide value; };

int main(void)
{
    struct packed p = {1, 2};
    long *inside = &p.value;

    *inside = 3;
    assert(sizeof p == 9 && p.value == 3 && p.tag == 1);
    assert(offsetof(struct inner, value) == 1 && offsetof(struct inner, last) == 16);
    assert(offsetof(struct holds, value) == TWINS(4, 16 && sizeof(struct holds) == 32)); // FAIL
    return 0;
}
