/* thrd_join: of oneself
 * --deadlock --rounds 2 */
#include <threads.h>
#include "../twins.h"

thrd_t t;

int worker(void *arg)
{
    BUGGY(thrd_join(thrd_current(), 0);) // DEADLOCK
    return 0;
}

int main(void)
{
    thrd_create(&t, worker, 0);
    return 0;
}
