/* `volatile` makes nothing atomic
 * --rounds 2 */
#include "../program.h"

volatile REPAIRED(_Atomic) int count;

void *thread(void *arg)
{
    count++;
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(count == 2); // FAIL
    return 0;
}
