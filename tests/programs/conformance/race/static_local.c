/* a static local, and a thread-local one
 * --race --rounds 3 */
#include "../program.h"

int next(void)
{
    TWINS(static int n, static _Thread_local int n);
    n++; // RACE
    return n; // RACE
}

void *one(void *arg)
{
    next();
    return 0;
}

int main(void)
{
    START(t, one);
    next();
    pthread_join(t, 0);
    return 0;
}
