/* Store buffering around a ring of threads, with seq_cst fences. */
#include "c11.h"
atomic_int x[N];
int saw[N];
void *thread(void *arg)
{
    long i = (long)arg;
    STORE(x[i], 1, RLX);
    atomic_thread_fence(SC);
    saw[i] = LOAD(x[(i + 1) % N], RLX);
    return 0;
}
MAIN(, 1)
