/* timespec_get
 * --rounds 1
 */
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec now;
    assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
#ifdef BUG
    assert(now.tv_nsec < 999999999); // FAIL
#else
    assert(now.tv_nsec < 1000000000);
#endif
    return 0;
}
