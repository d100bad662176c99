/* Each thread adds 1 with a relaxed update. */
#include "c11.h"
atomic_int x;
void *thread(void *arg)
{
    ADD(x, 1, RLX);
    return 0;
}
MAIN(, x == N)
