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
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    BUGGY(low = -1;)
    int width = high - low; // FAIL
    pthread_join(thread, NULL);
    return 0;
}
