/* A counter under a ticket lock. */
#include "c11.h"
atomic_int next, serving;
int n;
void *thread(void *arg)
{
    int mine = ADD(next, 1, RLX);
    while (LOAD(serving, ACQ) != mine) {
    }
    n++;
    STORE(serving, mine + 1, REL);
    return 0;
}
MAIN(, n == N)
