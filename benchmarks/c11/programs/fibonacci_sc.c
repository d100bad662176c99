/* Two threads add two variables to each other's, seq_cst. */
#include "c11.h"
enum { STEPS = N };
#undef N
#define N 2
atomic_int x[2];
void *thread(void *arg)
{
    long i = (long)arg;
    for (int k = 0; k < STEPS; k++)
        STORE(x[i], LOAD(x[i], SC) + LOAD(x[1 - i], SC), SC);
    return 0;
}
MAIN(STORE(x[0], 1, SC); STORE(x[1], 1, SC), x[0] < 100000)
