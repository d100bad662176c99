/* `gmtime` and `localtime` return one object, which the next call overwrites
 * --rounds 3 */
#include "../program.h"
#include <time.h>

void *work(void *arg)
{
    time_t day = 86400;
    struct tm own;
    TWINS(localtime(&day), localtime_r(&day, &own));
    return 0;
}

int main(void)
{
    time_t first = 0;
    struct tm *date = gmtime(&first);
    int year = date->tm_year;
    START(t, work);
    pthread_join(t, 0);
    assert(date->tm_year == year); // FAIL
    return 0;
}
