/* A counter under a spin lock that looks before it takes. */
#include "c11.h"
atomic_int l;
int n;
void *thread(void *arg)
{
    for (;;) {
        while (LOAD(l, RLX)) {
        }
        int e = 0;
        if (CAS(l, e, 1, ACQ))
            break;
    }
    n++;
    STORE(l, 0, REL);
    return 0;
}
MAIN(, n == N)
