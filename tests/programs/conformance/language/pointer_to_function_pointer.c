/* a call through a pointer to a function pointer
 * --rounds 1 --unwind 1 */
#include <assert.h>
#include "../twins.h"

static int more(int value) { return value + 1; }
static int less(int value) { return value - 1; }

int main(void)
{
    int (*table[2])(int) = {more, less};
    int (**place)(int) = table;
    int value = (*place)(5);
    REPAIRED(place++;)
    value = (**place)(value);
    assert(value == 5); // FAIL
    return 0;
}
