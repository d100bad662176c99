/* Store buffering around a ring of threads, seq_cst. */
#include "c11.h"
atomic_int x[N], saw;
void *thread(void *arg)
{
    long i = (long)arg;
    STORE(x[i], 1, SC);
    if (LOAD(x[(i + 1) % N], SC))
        ADD(saw, 1, RLX);
    return 0;
}
MAIN(, saw > 0)
