/* aligned_alloc, posix_memalign, memalign
 * --rounds 1 --unwind 1 */
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include "../twins.h"

int main(void)
{
    void *first = 0;
    int failed = posix_memalign(&first, 128, 24);
    char *second = aligned_alloc(64, 64), *third = memalign(32, 5);
    second[63] = 1;
    third[4] = 2;
    TWINS(assert(posix_memalign(&first, 3, 8) == 0), assert(!failed && ((uintptr_t)first & 127) == 0)); // FAIL
    assert(((uintptr_t)second & 63) == 0 && ((uintptr_t)third & 31) == 0 && second[63] + third[4] == 3);
    free(first);
    free(second);
    free(third);
    return 0;
}
