/* a result that is not used
 * --overflow --rounds 2 */
#include <limits.h>
#include <stdio.h>
#include "../program.h"

int count = INT_MAX - 1;

void *work(void *arg)
{
    count++;
    return NULL;
}

int main(void)
{
    START(thread, work);
    BUGGY(printf("%d\n", count + 1);) // FAIL
    REPAIRED(printf("%u\n", count + 1u);)
    REPAIRED((void)sizeof(count + 1);)
    pthread_join(thread, NULL);
    return 0;
}
