/* A sequence lock: one writer, and readers that try once. */
#include "c11.h"
atomic_int sequence, a, b;
void *thread(void *arg)
{
    if (!arg) {
        STORE(sequence, 1, RLX);
        atomic_thread_fence(REL);
        STORE(a, 1, RLX);
        STORE(b, 1, RLX);
        STORE(sequence, 2, REL);
        return 0;
    }
    int begin = LOAD(sequence, ACQ);
    int x = LOAD(a, RLX), y = LOAD(b, RLX);
    atomic_thread_fence(ACQ);
    if (begin % 2 == 0 && LOAD(sequence, RLX) == begin)
        assert(x == y);
    return 0;
}
MAIN(, 1)
