/* atomic_exchange
 * --rounds 2 */
#include <stdatomic.h>
#include "../program.h"

atomic_uint lock;
int inside;

void *thread(void *arg)
{
    BUGGY(int free = atomic_load(&lock) == 0;)
    BUGGY(atomic_store(&lock, 1);)
    REPAIRED(int free = atomic_exchange(&lock, 1) == 0;)
    if (free) {
        inside++;
        assert(inside == 1); // FAIL
    }
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    return 0;
}
