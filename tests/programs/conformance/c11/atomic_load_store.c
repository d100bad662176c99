/* atomic_load, atomic_store, atomic_init, ATOMIC_VAR_INIT
 * --rounds 2 */
#include <stdatomic.h>
#include "../program.h"

atomic_int count = ATOMIC_VAR_INIT(1);
atomic_bool ready;

void *thread(void *arg)
{
    TWINS(atomic_store(&count, atomic_load(&count) + 1), atomic_fetch_add(&count, 1));
    return NULL;
}

int main(void)
{
    atomic_init(&count, 5);
    TWO_THREADS(thread, thread);
    atomic_store(&ready, 7);
    assert(atomic_load(&ready) == 1);
    assert(atomic_load(&count) == 7); // FAIL
    return 0;
}
