/* `++` of an atomic object; `atomic_fetch_add` wraps around
 * --overflow --rounds 2 */
#include <limits.h>
#include <stdatomic.h>
#include "../program.h"

atomic_int count = INT_MAX;

void *add(void *arg)
{
    BUGGY(count++;) // FAIL
    REPAIRED(atomic_fetch_add(&count, 1);)
    REPAIRED(__atomic_add_fetch(&count, INT_MIN, __ATOMIC_SEQ_CST);)
    return NULL;
}

int main(void)
{
    START(thread, add);
    pthread_join(thread, NULL);
    return 0;
}
