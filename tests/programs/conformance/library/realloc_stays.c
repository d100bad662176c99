/* `realloc` moves a block, or leaves it where it is
 * --rounds 1 */
#include <assert.h>
#include <stdlib.h>
#include "../twins.h"

int main(void)
{
    int *numbers = malloc(4 * sizeof *numbers), *old = numbers;
    numbers[0] = 7;
    numbers = realloc(numbers, 3 * sizeof *numbers);
    TWINS(assert(numbers == old), assert(numbers == old || numbers[0] == 7)); // FAIL
    free(numbers);
    return 0;
}
