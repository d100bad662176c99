/* `_Atomic`: `++`, `--` and compound assignment are one step
 * --rounds 2 */
#include "../program.h"

_Atomic int count;

void *thread(void *arg)
{
    BUGGY(count = count + 3;)
    REPAIRED(count += 4;)
    REPAIRED(count--;)
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(count == 6); // FAIL
    return 0;
}
