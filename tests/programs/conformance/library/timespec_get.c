/* timespec_get
 * --rounds 1 */
#include <assert.h>
#include <time.h>
#include "../twins.h"

int main(void)
{
    struct timespec now;
    assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
    TWINS(assert(now.tv_nsec < 999999999), assert(now.tv_nsec < 1000000000)); // FAIL
    return 0;
}
