/* `x ?: y`, where x is evaluated once
 * --rounds 2 */
#include "../program.h"

int *shared, fallback = 1, other = 2;

void *writer(void *arg)
{
    shared = &other;
    shared = 0;
    return arg;
}

int main(void)
{
    START(t, writer);
    TWINS(int *p = shared ? shared : &fallback, int *p = shared ?: &fallback);
    assert(p != 0); // FAIL
    pthread_join(t, 0);
    return 0;
}
