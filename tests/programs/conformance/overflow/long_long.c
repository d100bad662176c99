/* `long long`
 * --overflow --rounds 2 --32 */
#include <limits.h>
#include "../program.h"

long long total = LLONG_MAX - 5;

void *add(void *arg)
{
    total += 3; // FAIL
    return NULL;
}

int main(void)
{
    START(thread, add);
    pthread_join(thread, NULL);
    BUGGY(add(NULL);)
    return 0;
}
