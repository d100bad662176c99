/* waiting in a loop for a flag
 * --rounds 2 --unwind 2 */
#include "../program.h"

int value, ready;

void *producer(void *arg)
{
    REPAIRED(value = 42;)
    ready = 1;
    BUGGY(value = 42;)
    return NULL;
}

int main(void)
{
    START(t, producer);
    while (!ready)
        ;
    assert(value == 42); // FAIL
    pthread_join(t, NULL);
    return 0;
}
