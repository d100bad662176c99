/* One thread writes twice, the others read twice. */
#include "c11.h"
atomic_int x;
void *thread(void *arg)
{
    if (arg) {
        int first = LOAD(x, RLX);
        assert(LOAD(x, RLX) >= first);
    } else {
        STORE(x, 1, RLX);
        STORE(x, 2, RLX);
    }
    return 0;
}
MAIN(, 1)
