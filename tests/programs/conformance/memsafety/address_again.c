/* a block whose address comes back: what is wrong where it does, and where it does not
 * --memsafety --rounds 1 */
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old), *new;
    *old = 1;
    free(old);
    new = malloc(sizeof *new);
    *new = 2;
#ifdef BUG
    if (old != new)
        *old = 3; // FAIL
#else
    if (old == new)
        *old = 3;
#endif
    free(new);
    return 0;
}
