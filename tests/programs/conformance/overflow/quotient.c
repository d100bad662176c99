/* the one quotient that does not fit
 * --overflow --rounds 2 */
#include <limits.h>
#include "../program.h"

long value = LONG_MIN;
int sign = 1;

void *turn(void *arg)
{
    sign = -1;
    return NULL;
}

int main(void)
{
    START(thread, turn);
    REPAIRED(value++;)
    long result = value / sign; // FAIL
    pthread_join(thread, NULL);
    return 0;
}
