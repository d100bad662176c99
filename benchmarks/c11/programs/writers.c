/* All threads but one write a variable, which that one reads. */
#include "c11.h"
atomic_int x;
void *thread(void *arg)
{
    if (arg)
        STORE(x, (long)arg, RLX);
    else
        assert(LOAD(x, RLX) < N);
    return 0;
}
MAIN(, 1)
