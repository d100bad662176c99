/* mktime, which changes what it is given
 * --rounds 1
 */
#include <assert.h>
#include <time.h>
#include "../twins.h"

int main(void)
{
    struct tm when = {0};
    when.tm_sec = 61;
    mktime(&when);
    REPAIRED(when.tm_sec = 61;)
    assert(when.tm_sec == 61); // FAIL
    return 0;
}
