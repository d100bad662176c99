/* Each thread inserts into a cell of its own of a hash table. */
#include "c11.h"
atomic_int table[128];
void *thread(void *arg)
{
    int key = (long)arg + 1, at = key * 7 % 128;
    for (int i = 0; i < 4; i++) {
        int e = 0;
        if (CAS(table[at], e, key, AR))
            break;
        at = (at + 1) % 128;
    }
    return 0;
}
MAIN(, table[7] == 1)
