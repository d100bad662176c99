/* A reference count; the last thread looks at what the others wrote. */
#include "c11.h"
atomic_int count;
int part[N];
void *thread(void *arg)
{
    part[(long)arg] = 1;
    if (ADD(count, -1, AR) == 1)
        for (int i = 0; i < N; i++)
            assert(part[i]);
    return 0;
}
MAIN(STORE(count, N, RLX), count == 0)
