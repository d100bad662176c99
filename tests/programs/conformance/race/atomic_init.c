/* `atomic_init` is no atomic access
 * --race --rounds 5 */
#include <stdatomic.h>
#include "../two_threads.h"

atomic_int x;

void *one(void *arg)
{
    TWINS(atomic_init(&x, 1), atomic_store(&x, 1)); // RACE
    return 0;
}

void *two(void *arg)
{
    int seen = x; // RACE
    (void)seen;
    return 0;
}
