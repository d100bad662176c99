/* `__atomic_store_n`, and a plain load
 * --race --rounds 5 */
#include "../two_threads.h"

int x;

void *one(void *arg)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(int seen = x, int seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST)); // RACE
    (void)seen;
    return 0;
}
