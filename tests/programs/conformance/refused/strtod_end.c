/* where a number ends: strtod and its like with a second argument that is not null
 * --rounds 1
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *end = 0;
    strtod("1", &end); // REFUSED: this argument of `strtod` is not supported
    assert(end == 0);
    return 0;
}
