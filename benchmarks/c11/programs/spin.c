/* A counter under a spin lock. */
#include "c11.h"
atomic_int l;
int n;
void *thread(void *arg)
{
    int e;
    do
        e = 0;
    while (!CAS(l, e, 1, ACQ));
    n++;
    STORE(l, 0, REL);
    return 0;
}
MAIN(, n == N)
