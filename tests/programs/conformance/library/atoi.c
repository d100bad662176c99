/* atoi, strtol
 * --rounds 1
 */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    assert(atoi(" -42") == -42);
#ifdef BUG
    assert(strtol("0x1g", &end, 16) == 31 && *end == 'g'); // FAIL
#else
    assert(strtol("0x1g", &end, 16) == 1 && *end == 'g');
#endif
    return 0;
}
