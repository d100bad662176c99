/* `__label__`: each expansion of a macro has labels of its own
 * --rounds 1 --unwind 5 */
#include <assert.h>
#include "../twins.h"

#define FIND(array, length, value)              \
    ({                                          \
        __label__ again, found;                 \
        int at = 0;                             \
    again:                                      \
        if (at == (length)) goto found;         \
        if ((array)[at] == (value)) goto found; \
        at++;                                   \
        goto again;                             \
    found:                                      \
        at;                                     \
    })

int main(void)
{
    int numbers[] = {5, 6, 7};
    int first = FIND(numbers, 3, 6);
    int second = FIND(numbers, 3, 9);
    TWINS(assert(first == second), assert(first == 1 && second == 3)); // FAIL
    return 0;
}
