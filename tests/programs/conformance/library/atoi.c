/* atoi, strtol
 * --rounds 1 */
#include <assert.h>
#include <stdlib.h>
#include "../twins.h"

int main(void)
{
    char *end;
    assert(atoi(" -42") == -42);
    assert(strtol("0x1g", &end, 16) == TWINS(31, 1) && *end == 'g'); // FAIL
    return 0;
}
