/* objects that others lead to before they are defined
 * --memsafety --rounds 1 --unwind 1 */
#include <assert.h>
#include "../twins.h"

extern int items[], last;
int *first = items, *next = &last;
int items[3] = {1, 2, 3};
int last = 4;

int main(void)
{
    TWINS(int value = first[3], int value = first[2]); // FAIL
    assert(value + *next == 7);
    return 0;
}
