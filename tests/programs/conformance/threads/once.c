/* pthread_once
 * --rounds 2 --unwind 1 */
#include "../program.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
int value, ready;

void init(void)
{
    value = value + 1;
    ready = 1;
}

void other(void)
{
    value = -1;
}

void (*unused)(void) = other;

void initialise(void)
{
    TWINS(if (!ready) init(), pthread_once(&once, init));
    assert(ready);
}

void *work(void *arg)
{
    initialise();
    return 0;
}

int main(void)
{
    START(t, work);
    initialise();
    pthread_join(t, 0);
    assert(value == 1); // FAIL
    return 0;
}
