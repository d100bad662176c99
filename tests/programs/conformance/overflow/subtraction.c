/* `-`: a difference of what two threads set
 * --overflow --rounds 2 */
#include <limits.h>
#include "../program.h"

int low, high;

void *set(void *arg)
{
    high = INT_MAX;
    return NULL;
}

int main(void)
{
    START(thread, set);
    BUGGY(low = -1;)
    int width = high - low; // FAIL
    pthread_join(thread, NULL);
    return 0;
}
