/* The threads insert into a hash table, where all keys but the first have two cells. */
#include "c11.h"
atomic_int table[128];
void *thread(void *arg)
{
    int key = (long)arg + 1, at = key / 2;
    for (int i = 0; i < N; i++) {
        int e = 0;
        if (CAS(table[at], e, key, AR))
            break;
        at = (at + 1) % 128;
    }
    return 0;
}
MAIN(, table[0] == 1)
