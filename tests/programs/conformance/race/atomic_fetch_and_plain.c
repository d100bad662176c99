/* `__sync_fetch_and_add`, and a plain store
 * --race --rounds 5 */
#include "../two_threads.h"

int x;

void *one(void *arg)
{
    __sync_fetch_and_add(&x, 1); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(x = 1, __sync_lock_test_and_set(&x, 1)); // RACE
    return 0;
}
