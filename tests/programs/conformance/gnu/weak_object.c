/* a weak object that nothing defines is at no address
 * --rounds 1 */
#include "../program.h"

struct settings { int level; };
extern struct settings settings __attribute__((weak));

int main(void)
{
    int level = &settings ? settings.level : 1;
    assert(level == TWINS(0, 1)); // FAIL
    return 0;
}
