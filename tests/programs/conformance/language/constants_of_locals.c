/* types in functions whose constants name locals
 * --rounds 1 --unwind 1 */
#include <assert.h>
#include "../twins.h"

int main(void)
{
    short value = 3;
    int items[3];
    enum { COUNT = sizeof(items) / sizeof(items[0]), LAST = -1 };
    struct {
        unsigned low : sizeof(value) * 2;
        char bytes[sizeof value + 1];
    } part = {15, {0}};
    TWINS(part.low += value, part.low++);
    assert(part.low == 0 && sizeof part.bytes == 3 && COUNT == 3 && LAST < 0); // FAIL
    return 0;
}
