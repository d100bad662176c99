/* gettimeofday
 * --rounds 1 */
#include <assert.h>
#include <sys/time.h>
#include "../twins.h"

int main(void)
{
    struct timeval now = {1, 2};
    assert(now.tv_sec == 1);
    gettimeofday(&now, 0);
    BUGGY(assert(now.tv_sec == 1);) // FAIL
    return 0;
}
